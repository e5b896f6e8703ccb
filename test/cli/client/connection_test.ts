import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { createServer } from "node:tls";
import { join } from "node:path";
import { requireOk } from "../../../src/cli/client/answer.ts";
import { localConnection, remoteConnection } from "../../../src/cli/client/connection.ts";
import type { ClientTimeouts } from "../../../src/cli/client/types.ts";
import { ServerAbsent, ServerRefusal } from "../../../src/cli/client/types.ts";
import { CliFailure } from "../../../src/cli/failure.ts";
import { tempDirectory } from "../../support/temp_home.ts";
import { answerText, jsonText, type LyingServer, lyingServer } from "./lying_server.ts";

const TOKEN = "a-token-that-is-a-secret";
const GET = { method: "GET", path: "/api/agents" } as const;

const servers: LyingServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(answer: (socket: Socket, head: string) => void): Promise<LyingServer> {
  const server = await lyingServer(answer);
  servers.push(server);
  return server;
}

/** What a request to such a server fails with; the connection is gone afterwards. */
async function failureOf(
  answer: (socket: Socket) => void,
  timeouts: Partial<ClientTimeouts> = {},
): Promise<CliFailure> {
  const server = await serve(answer);
  const connection = remoteConnection(server.url, TOKEN, timeouts);
  const failure = await connection.send(GET).then(() => assert.fail("it was taken"), (e) => e);
  assert.ok(failure instanceof CliFailure, String(failure));
  assert.doesNotMatch(failure.message + (failure.hint ?? ""), new RegExp(TOKEN));
  await server.drained();
  return failure;
}

describe("a connection to a URL", () => {
  it("sends the token, JSON and its own Host, and gives the answer", async () => {
    const server = await serve((socket) => socket.end(jsonText(200, { ok: true, n: 1 })));
    const connection = remoteConnection(`${server.url}/below`, TOKEN);
    const answer = await connection.send({
      method: "POST",
      path: "/api/x?y=%20",
      body: { a: 1 },
      headers: { "idempotency-key": "k" },
    });
    assert.deepEqual(requireOk(answer), { ok: true, n: 1 });
    const [head = ""] = server.heads;
    assert.match(head, /^POST \/below\/api\/x\?y=%20 HTTP\/1\.1\r\n/);
    assert.match(head, new RegExp(`^authorization: Bearer ${TOKEN}\\r?$`, "im"));
    assert.match(head, new RegExp(`^host: 127.0.0.1:${server.port}\\r?$`, "im"));
    assert.match(head, /^content-type: application\/json\r?$/im);
    assert.match(head, /^idempotency-key: k\r?$/im);
  });

  it("gives a refusal with its status, code, sentence and hint, made safe for a terminal", async () => {
    const body = { ok: false, error: "No\u001b[31m", code: "forbidden", hint: "Ask" };
    const server = await serve((socket) => socket.end(jsonText(403, body)));
    const answer = await remoteConnection(server.url, TOKEN).send(GET);
    assert.throws(() => requireOk(answer), (error) => {
      assert.ok(error instanceof ServerRefusal);
      assert.deepEqual([error.status, error.code, error.hint], [403, "forbidden", "Ask"]);
      assert.equal(error.message, "No\ufffd[31m");
      return true;
    });
  });

  it("never sends anything to another origin, whatever the path is", async () => {
    const other = await serve((socket) => socket.end(jsonText(200, {})));
    const server = await serve((socket) => socket.end(jsonText(200, {})));
    const connection = remoteConnection(server.url, TOKEN);
    for (const path of [`@127.0.0.1:${other.port}/`, "", "x", `.evil:${other.port}/`]) {
      await assert.rejects(async () => await connection.send({ method: "GET", path }), TypeError);
    }
    await connection.send({ method: "GET", path: `//127.0.0.1:${other.port}/` });
    assert.equal(other.heads.length, 0);
  });

  it("follows no redirect with the token", async () => {
    const elsewhere = await serve((socket) => socket.end(jsonText(200, { ok: true })));
    for (const status of [300, 301, 302, 303, 307, 308]) {
      const failure = await failureOf((socket) =>
        socket.end(answerText(status, { location: `${elsewhere.url}/api/agents` }))
      );
      assert.match(failure.message, /sends on to http.*the token was not sent there/);
    }
    assert.match(
      (await failureOf((socket) => socket.end(answerText(302, {})))).message,
      /elsewhere/,
    );
    assert.equal(elsewhere.heads.length, 0);
  });

  it("names an answer that is not Holon's", async () => {
    const html = { "content-type": "text/html; charset=utf-8" };
    const json = { "content-type": "application/json" };
    const cases: readonly [string, RegExp][] = [
      [answerText(200, html, "<h1>Router</h1>"), /answered 200 with text\/html, not as Holon does/],
      [answerText(404, html, "<h1>No</h1>"), /answered 404 with text\/html/],
      [answerText(200, {}, "{}"), /answered 200 with no type/],
      [answerText(200, json, "{"), /JSON that is not valid/],
      [answerText(200, json, ""), /JSON that is not valid/],
      [answerText(200, json, "\xff"), /JSON that is not valid|not as Holon/],
      ["SSH-2.0-OpenSSH_9.9\r\n", /does not speak HTTP/],
      ["HTTP/1.1 200 OK\r\nx: " + "y".repeat(100_000) + "\r\n\r\n", /does not speak HTTP/],
    ];
    for (const [text, sentence] of cases) {
      assert.match((await failureOf((socket) => socket.end(text))).message, sentence, text);
    }
    for (const body of [[], null, "x", 1, { error: 5 }]) {
      const server = await serve((socket) => socket.end(jsonText(500, body)));
      const answer = await remoteConnection(server.url, TOKEN).send(GET);
      assert.throws(() => requireOk(answer), /answered 500, not as Holon does/);
    }
  });

  it("names an answer that was cut short", async () => {
    const json = { "content-type": "application/json", "content-length": "100" };
    const cut = await failureOf((socket) => socket.end(answerText(200, json, "{}")));
    assert.match(cut.message, /broke off its answer/);
    const chunked = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n" +
      "transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n";
    assert.match((await failureOf((socket) => socket.end(chunked))).message, /broke off/);
    const silent = await failureOf((socket) => socket.destroy());
    assert.match(silent.message, /closed the connection without an answer/);
  });

  it("reads no more than 16 MiB, told or not", async () => {
    const json = "content-type: application/json\r\n";
    const told = await failureOf((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\n${json}content-length: 104857600\r\n\r\n{`)
    );
    assert.match(told.message, /more than 16 MiB/);
    let written = 0;
    const endless = await failureOf((socket) => {
      const block = " ".repeat(256 * 1024);
      socket.write(`HTTP/1.1 200 OK\r\n${json}connection: close\r\n\r\n`);
      const fill = (): void => {
        while (!socket.destroyed && written < 104_857_600) {
          written += block.length;
          if (!socket.write(block)) return;
        }
      };
      socket.on("drain", fill);
      fill();
    });
    assert.match(endless.message, /more than 16 MiB/);
    assert.ok(written < 104_857_600, `${written} bytes were taken`);
  });

  it("waits for an answer to begin, and to end, only so long", async () => {
    const silent = await failureOf(() => {}, { openMs: 100 });
    assert.match(silent.message, /did not answer within 0\.1 s/);
    const half = await failureOf((socket) => socket.write("HTTP/1.1 200 O"), { openMs: 100 });
    assert.match(half.message, /did not answer within/);
    const drip = await failureOf((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n");
      const timer = setInterval(() => socket.write(" "), 10);
      socket.on("close", () => clearInterval(timer));
    }, { openMs: 300, totalMs: 400 });
    assert.match(drip.message, /did not finish its answer within 0\.4 s/);
  });

  it("says why it can't be reached", async () => {
    const gone = await lyingServer(() => {});
    await gone.close();
    const refused = remoteConnection(gone.url, TOKEN).send(GET);
    await assert.rejects(refused, /nothing listens at http:\/\/127/);
    const unknown = remoteConnection("http://no-such-host.invalid:7878", TOKEN).send(GET);
    await assert.rejects(
      unknown,
      /no address is known for the name no-such-host\.invalid|no way to/,
    );
  });

  it("can be broken off before and while it waits", async () => {
    const server = await serve(() => {});
    const connection = remoteConnection(server.url, TOKEN);
    const signal = AbortSignal.abort();
    await assert.rejects(connection.send({ ...GET, signal }), /broken off/);
    assert.equal(server.heads.length, 0);
    const controller = new AbortController();
    const waiting = assert.rejects(
      connection.send({ ...GET, signal: controller.signal }),
      /broken off/,
    );
    while (server.heads.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    await waiting;
    await server.drained();
  });
});

describe("a connection over TLS", () => {
  const pem = (name: string): string => readFileSync(join(import.meta.dirname!, name), "utf8");

  it("refuses a certificate that nobody vouches for, and sends it nothing", async () => {
    let received = 0;
    const server = createServer(
      { cert: pem("tls_certificate.pem"), key: pem("tls_key.pem") },
      (socket) => {
        socket.on("error", () => {});
        socket.on("data", () => received += 1);
      },
    );
    server.on("tlsClientError", () => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { readonly port: number };
    const failure = await remoteConnection(`https://127.0.0.1:${port}`, TOKEN).send(GET)
      .then(() => assert.fail(), (error) => error);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    assert.ok(failure instanceof CliFailure);
    assert.match(failure.message, /certificate of https:\/\/127.* is not trusted/);
    assert.match(failure.hint ?? "", /DENO_CERT|NODE_EXTRA_CA_CERTS/);
    assert.equal(received, 0);
  });

  it("says so where no TLS is spoken", async () => {
    const server = await serve(() => {});
    const plain = await lyingServer(() => {});
    servers.push(plain);
    const silent = remoteConnection(`https://127.0.0.1:${server.port}`, TOKEN, { openMs: 200 });
    await assert.rejects(silent.send(GET), /did not answer within/);
  });
});

describe("a connection to a home's socket", () => {
  it("is absent where nothing listens", async () => {
    const directory = tempDirectory();
    const socket = join(directory.path, "holon.sock");
    const connection = localConnection({ home: directory.path, socket });
    await assert.rejects(connection.send(GET), ServerAbsent);
    assert.equal(connection.url, null);
    directory.remove();
  });
});
