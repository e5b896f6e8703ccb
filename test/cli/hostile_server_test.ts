import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { run } from "./memory_io.ts";

/** Titles the window, clears it, colours it, turns text round, and breaks the line. */
const EVIL = "x\u001b]0;t\u0007\u001b[2J\u009b31m\u202e\rz";
const HANDSHAKE = {
  ok: true,
  protocol: { name: "holon-control", version: 1 },
  version: `9${EVIL}`,
  default_agent: "main",
};
/** Whatever a command looks for. */
const ANSWER = {
  ok: true,
  message_id: EVIL,
  credential: EVIL,
  token: { name: EVIL, scope: EVIL, expires_at: EVIL },
  tokens: [{ name: EVIL, scope: EVIL, state: EVIL }],
  sessions: [{ id: EVIL, client: EVIL, scope: EVIL, token: EVIL, method: EVIL }],
  agents: [{ id: EVIL, problem: EVIL }],
  apps: [{ app_id: EVIL, id: EVIL, name: EVIL, url: EVIL, problem: EVIL }],
  messages: [{ id: EVIL, status: EVIL, origin: EVIL, request_type: EVIL }],
  message: { id: EVIL, status: EVIL, origin: EVIL, payload: { [EVIL]: EVIL } },
  reachable: true,
  url: `http://x/${EVIL}`,
  notes: [EVIL],
};

describe("a server that means harm", () => {
  let server: Server;
  let connect: string[];
  before(async () => {
    server = createServer((request, response) => {
      const body = request.url === "/api/handshake" ? HANDSHAKE : ANSWER;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    connect = ["--connect", `http://127.0.0.1:${port}`, "--token", "a-token-that-is-long-enough"];
  });
  after(() => new Promise((resolve) => server.close(resolve)));

  for (
    const command of [
      "agents list",
      "apps list",
      "messages list",
      "messages show msg_1",
      "messages send main hi",
      "messages cancel msg_1",
      "messages retry msg_1",
      "token create ci",
      "token list",
      "token rotate ci",
      "sessions list",
      "pair",
      "version",
    ]
  ) {
    it(`sends nothing to the terminal by \`holon ${command}\` that steers it`, async () => {
      const { out, err } = await run([...command.split(" "), ...connect]);
      assert.notEqual(out + err, "");
      // deno-lint-ignore no-control-regex
      assert.doesNotMatch(out + err, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    });
  }
});
