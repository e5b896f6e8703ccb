import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import type { Socket } from "node:net";
import { remoteConnection } from "../../../src/cli/client/connection.ts";
import {
  type ClientTimeouts,
  type ServerEvent,
  ServerRefusal,
} from "../../../src/cli/client/types.ts";
import { answerText, jsonText, type LyingServer, lyingServer } from "./lying_server.ts";

const TOKEN = "a-token-that-is-a-secret";
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n" +
  "x-holon-newest-event-id: 41\r\n\r\n";

let server: LyingServer;
afterEach(() => server.close());

async function connect(
  answer: (socket: Socket) => void,
  timeouts: Partial<ClientTimeouts> = {},
): Promise<ReturnType<typeof remoteConnection>> {
  server = await lyingServer(answer);
  return remoteConnection(server.url, TOKEN, timeouts);
}

async function collect(stream: AsyncIterable<ServerEvent>): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe("stream()", () => {
  it("gives the events in whatever pieces they come, until the server ends it", async () => {
    const text =
      ": hi\n\nevent: a\nid: 1\ndata: é{\ndata: }\n\ndata: 2\r\n\r\nid: 9\n\nevent: cut\n";
    const connection = await connect((socket) => {
      socket.write(HEAD);
      for (const byte of Buffer.from(text)) socket.write(Uint8Array.of(byte));
      socket.end();
    });
    const stream = await connection.stream({ path: "/e", lastEventId: "7" });
    assert.equal(stream.newestEventId, "41");
    assert.deepEqual(await collect(stream), [
      { event: "a", id: "1", data: "é{\n}" },
      { event: "message", id: undefined, data: "2" },
    ]);
    assert.match(server.heads[0] ?? "", /^last-event-id: 7\r?$/im);
    assert.match(server.heads[0] ?? "", new RegExp(`^authorization: Bearer ${TOKEN}\\r?$`, "im"));
    await server.drained();
  });

  it("ends quietly on close(), on break and on abort, and lets go of the connection", async () => {
    const connection = await connect((socket) => socket.write(`${HEAD}data: 1\n\n`));
    const closed = await connection.stream({ path: "/e" });
    for await (const _event of closed) closed.close();
    await server.drained();

    for await (const _event of await connection.stream({ path: "/e" })) break;
    await server.drained();

    const controller = new AbortController();
    const aborted = await connection.stream({ path: "/e", signal: controller.signal });
    for await (const _event of aborted) setTimeout(() => controller.abort(), 0);
    await server.drained();

    const unread = await connection.stream({ path: "/e" });
    unread.close();
    assert.deepEqual(await collect(unread), []);
    await server.drained();
  });

  it("throws the server's refusal", async () => {
    const body = { ok: false, error: "Too many streams", code: "too_many_streams" };
    const connection = await connect((socket) => socket.end(jsonText(503, body)));
    await assert.rejects(connection.stream({ path: "/e" }), (error) => {
      assert.ok(error instanceof ServerRefusal);
      assert.deepEqual([error.status, error.code], [503, "too_many_streams"]);
      return true;
    });
    await server.drained();
  });

  it("throws for what is no event stream, and for a redirect", async () => {
    const answers: readonly [string, RegExp][] = [
      [answerText(200, { "content-type": "text/html" }, "<p>"), /answered 200 with text\/html/],
      [jsonText(200, {}), /answered 200 with application\/json/],
      [answerText(500, {}), /answered 500 with no type/],
      [answerText(307, { location: "http://evil/" }), /sends on to http:\/\/evil\/.*token was not/],
    ];
    for (const [text, sentence] of answers) {
      const connection = await connect((socket) => socket.end(text));
      await assert.rejects(connection.stream({ path: "/e" }), sentence);
      await server.drained();
      await server.close();
    }
    server = await lyingServer(() => {});
  });

  it("throws when it falls silent, breaks, or sends an endless event", async () => {
    const silent = await connect((socket) => socket.write(`${HEAD}data: 1\n\n`), { idleMs: 100 });
    await assert.rejects(
      async () => collect(await silent.stream({ path: "/e" })),
      /sent nothing for/,
    );
    await server.drained();
    await server.close();

    const chunked = HEAD.replace("\r\n\r\n", "\r\ntransfer-encoding: chunked\r\n\r\n");
    const broken = await connect((socket) => {
      socket.write(`${chunked}9\r\ndata: 1\n\n\r\n`);
      socket.end();
    });
    await assert.rejects(async () => collect(await broken.stream({ path: "/e" })), /broke off/);
    await server.drained();
    await server.close();

    const endless = await connect((socket) => {
      socket.write(`${HEAD}data: `);
      const block = "x".repeat(256 * 1024);
      const fill = (): void => {
        while (!socket.destroyed && socket.write(block));
      };
      socket.on("drain", fill);
      fill();
    });
    await assert.rejects(
      async () => collect(await endless.stream({ path: "/e" })),
      /an event of more than 4 Mi characters/,
    );
    await server.drained();
  });

  it("a reader that takes its time does not make the server look silent", async () => {
    const connection = await connect((socket) => {
      socket.write(`${HEAD}data: 1\n\ndata: 2\n\n`);
      setTimeout(() => socket.end("data: 3\n\n"), 20);
    }, { idleMs: 120 });
    const seen: string[] = [];
    for await (const { data } of await connection.stream({ path: "/e" })) {
      seen.push(data);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    assert.deepEqual(seen, ["1", "2", "3"]);
  });
});
