import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PROTOCOL, readHandshake, versionNote } from "../../../src/cli/client/handshake.ts";
import { CONTROL_PROTOCOL } from "../../../src/handshake/routes.ts";
import { VERSION } from "../../../src/version.ts";
import { fakeDaemon } from "../fake_daemon.ts";
import { tempDirectory } from "../../support/temp_home.ts";
import { run } from "../memory_io.ts";
import { handshakeBody, jsonText, lyingServer } from "./lying_server.ts";

const NAME = "http://lab:7878";

describe("readHandshake()", () => {
  it("takes the protocol that the server of this program speaks, and ignores what it doesn't know", () => {
    assert.deepEqual(
      { name: CONTROL_PROTOCOL.name, major: CONTROL_PROTOCOL.version },
      { ...PROTOCOL },
    );
    for (const version of [1, "1", "1.7"]) {
      const body = handshakeBody({
        protocol: { name: "holon-control", version, extra: {} },
        capabilities: ["a", 5, "b"],
        limits: { x: 1 },
        version: "9.9.9",
      });
      const read = readHandshake(body, NAME);
      assert.deepEqual(read.capabilities, ["a", "b"]);
      assert.deepEqual([read.version, read.defaultAgent, read.listen], ["9.9.9", "main", null]);
    }
  });

  it("refuses another name and another major version, and says which", () => {
    const wrong: readonly [unknown, RegExp][] = [
      [{ name: "nolon", version: 1 }, /speaks the protocol nolon, and this program holon-control/],
      [{ name: "holon-control", version: 2 }, /speaks version 2 of the protocol.*version 1/],
      [{ name: "holon-control", version: "2.1" }, /speaks version 2\.1/],
      [{ name: "holon-control", version: 0 }, /speaks version 0/],
      [{ name: "holon-control", version: "1x" }, /speaks version 1x/],
      [{ name: "holon-control" }, /names no protocol/],
      [{ name: "\u001b[2J", version: 1 }, /speaks the protocol \ufffd\[2J/],
      [{ version: 1 }, /names no protocol/],
      [[], /names no protocol/],
      [null, /names no protocol/],
    ];
    for (const [protocol, sentence] of wrong) {
      assert.throws(() => readHandshake(handshakeBody({ protocol }), NAME), sentence);
    }
  });

  it("names a server of another version", () => {
    const of = (version: string) =>
      versionNote(readHandshake(handshakeBody({ version }), NAME), NAME);
    assert.equal(of(VERSION), null);
    assert.equal(of("7.0.0"), `${NAME} runs Holon 7.0.0, and this program is ${VERSION}`);
    assert.equal(versionNote(readHandshake(handshakeBody(), NAME), NAME), null);
  });
});

describe("a command", () => {
  it("names the other version and goes on, elsewhere and here; refuses another protocol", async () => {
    let handshake = handshakeBody({ version: "7.0.0" });
    const server = await lyingServer((socket, head) =>
      socket.end(jsonText(200, head.includes("handshake") ? handshake : { agents: [{ id: "a" }] }))
    );
    const directory = tempDirectory();
    const daemon = await fakeDaemon(
      directory.path,
      ({ path }) =>
        Response.json(path.includes("handshake") ? handshake : { agents: [{ id: "a" }] }),
    );
    const args = ["agents", "list", "-q"];
    const remote = ["--connect", server.url, "--token", "some-token"];
    const options = { home: directory.path };
    for (const place of [remote, []]) {
      const noted = await run(["agents", "list", ...place], options);
      assert.equal(noted.code, 0, noted.err);
      assert.match(noted.err, /^holon: .* runs Holon 7\.0\.0, and this program is /);
      const quiet = await run([...args, ...place], options);
      assert.deepEqual(quiet, { code: 0, out: "a\n", err: "" });
    }
    handshake = handshakeBody({ protocol: { name: "holon-control", version: 2 } });
    for (const place of [remote, []]) {
      const refused = await run([...args, ...place], options);
      assert.deepEqual([refused.code, refused.out], [1, ""]);
      assert.match(refused.err, /speaks version 2 of the protocol.*\n {2}Bring the older/);
    }
    await Promise.all([server.close(), daemon.close()]);
    directory.remove();
  });
});
