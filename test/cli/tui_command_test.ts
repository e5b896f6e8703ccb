import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { linkTo } from "../../src/cli/tui_link.ts";
import { remoteConnection } from "../../src/cli/client/connection.ts";
import { LinkFailure } from "../../src/tui/link/failure.ts";
import { run } from "./memory_io.ts";

const TERMINAL = { stdin: true, stdout: true, stderr: true };
const TOKEN = "a-token-that-is-long-enough";

describe("holon tui", () => {
  it("says that it needs a terminal, and exits with 2", async () => {
    for (const terminal of [{ ...TERMINAL, stdin: false }, { ...TERMINAL, stdout: false }]) {
      const { code, err } = await run(["tui"], { terminal });
      assert.equal(code, 2);
      assert.match(err, /^holon: holon tui needs a terminal[^\n]*\n {2}In scripts, use/);
    }
  });

  it("draws nothing on a terminal that says that it is dumb", async () => {
    const { code, err } = await run(["tui"], { terminal: TERMINAL, env: { TERM: "dumb" } });
    assert.equal(code, 2);
    assert.match(err, /TERM=dumb/);
  });

  it("takes --connect with exactly one token, and no address that is none", async () => {
    const url = ["--connect", "http://lab:7878"];
    for (
      const [args, sentence] of [
        [url, /--connect needs a token/],
        [[...url, "--token", TOKEN, "--token-file", "x"], /exclude each other/],
        [[...url, "--token", TOKEN, "--token-profile", "x"], /exclude each other/],
        [["--token", TOKEN], /--connect is missing/],
        [["--connect", "http://0.0.0.0:7878", "--token", TOKEN], /0\.0\.0\.0/],
        [["--connect", "lab:7878", "--token", TOKEN], /--connect/],
        [["--connect", "ftp://lab", "--token", TOKEN], /--connect/],
        [[...url, "--token", TOKEN, "--home", "/tmp/x"], /--home is for this machine/],
      ] as const
    ) {
      const { code, err } = await run(["tui", ...args], { terminal: TERMINAL });
      assert.equal(code, 2, err);
      assert.match(err, sentence);
    }
  });

  it("takes time-outs from the environment, and says where one is none", async () => {
    const env = { HOLON_TUI_CONNECT_TIMEOUT: "soon" };
    const { code, err } = await run(["tui", "--connect", "http://lab:1", "--token", TOKEN], {
      terminal: TERMINAL,
      env,
    });
    assert.equal(code, 2);
    assert.match(err, /HOLON_TUI_CONNECT_TIMEOUT is no number of seconds/);
  });
});

describe("linkTo()", () => {
  let server: Server;
  let url = "";
  let answer: { readonly status: number; readonly body: unknown } = { status: 200, body: {} };
  before(async () => {
    server = createServer((request, response) => {
      if (request.url?.endsWith("/stream") && answer.status === 200) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(
          `: hi\n\nid: ${request.headers["last-event-id"]}\nevent: holon_event\ndata: {}\n\n`,
        );
        return;
      }
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(JSON.stringify(answer.body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const { signal } = new AbortController();
  const link = () => linkTo(remoteConnection(url, TOKEN));
  const protocol = { name: "holon-control", version: 1 };

  async function failureFor(ask: () => Promise<unknown>): Promise<string> {
    try {
      await ask();
      return "none";
    } catch (error) {
      assert.ok(error instanceof LinkFailure, String(error));
      return `${error.kind}: ${error.message}`;
    }
  }

  const handshake = (body: unknown, status = 200) => {
    answer = { status, body };
    return link().handshake(signal);
  };

  it("reads the handshake, and gives addresses that can be opened", async () => {
    const runtime = { default_agent: "main", listen: "0.0.0.0:7878", advertise_url: null };
    assert.deepEqual(await handshake({ protocol, version: "1.2.3", runtime }), {
      version: "1.2.3",
      defaultAgent: "main",
      url: "http://127.0.0.1:7878",
      sharedUrl: null,
      home: null,
    });
    const shared = { listen: "[::]:80", advertise_url: "http://lab:80" };
    const facts = await handshake({ protocol, runtime: shared });
    assert.deepEqual([facts.url, facts.sharedUrl], ["http://[::1]", "http://lab:80"]);
  });

  it("tells what time mends from what it does not", async () => {
    const refusal = { ok: false, error: "No.", code: "x" };
    const asked = (body: unknown, status: number) => () => handshake(body, status);
    assert.match(await failureFor(asked(refusal, 401)), /^refused: \S+ does not take this token$/);
    assert.equal(await failureFor(asked(refusal, 403)), "refused: No.");
    assert.equal(await failureFor(asked(refusal, 404)), "missing: No.");
    assert.equal(await failureFor(asked(refusal, 409)), "rejected: No.");
    assert.equal(await failureFor(asked(refusal, 429)), "busy: No.");
    assert.equal(await failureFor(asked(refusal, 503)), "busy: No.");
    assert.match(await failureFor(asked({}, 404)), /^foreign: /);
    assert.match(
      await failureFor(asked({ protocol: { ...protocol, version: 2 } }, 200)),
      /^foreign: .*version 2/,
    );
    assert.match(await failureFor(asked({}, 200)), /^foreign: /);
    const nowhere = linkTo(remoteConnection("http://127.0.0.1:1", TOKEN));
    assert.match(await failureFor(() => nowhere.handshake(signal)), /^broken: nothing listens/);
    const absent = linkTo({
      ...remoteConnection(url, TOKEN),
      send: async () => {
        const { ServerAbsent } = await import("../../src/cli/client/types.ts");
        throw new ServerAbsent("gone");
      },
    });
    assert.match(await failureFor(() => absent.handshake(signal)), /^absent: /);
  });

  it("reads a stream from an event on, and says why there is none", async () => {
    const read = async () => {
      const seen: string[] = [];
      const stream = link().events({
        path: "/api/agents/main/events/stream",
        lastEventId: "41",
        signal,
        onOpen: () => seen.push("open"),
        onAlive: () => seen.push("alive"),
      });
      for await (const { id, event } of stream) seen.push(`${event} ${id}`);
      return seen;
    };
    answer = { status: 200, body: {} };
    assert.deepEqual(await read(), ["open", "alive", "holon_event 41"]);
    answer = { status: 503, body: { ok: false, error: "Too many streams.", code: "x" } };
    assert.equal(await failureFor(read), "busy: Too many streams.");
    answer = { status: 401, body: { ok: false, error: "No.", code: "x" } };
    assert.match(await failureFor(read), /^refused: /);
  });
});
