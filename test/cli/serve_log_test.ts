import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { runtimeName } from "../support/runtime.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { run } from "./memory_io.ts";

// deno-lint-ignore no-explicit-any
type Line = any;

const TOKEN = "a-s3cret-token-of-this-test";

describe("the log of serve", () => {
  let directory: TempDirectory;
  let holon: ServedHolon | undefined;
  beforeEach(() => void (directory = tempDirectory()));
  afterEach(async () => {
    await holon?.script.stop();
    holon = undefined;
    directory.remove();
  });

  async function start(args: readonly string[] = [], env: Record<string, string> = {}) {
    const home = join(directory.path, "home");
    holon = await startHolon({ home, program: PROGRAMS[runtimeName], args, env });
    return holon;
  }

  it("has a line of JSON for each request where stderr is no terminal", async () => {
    const { url, script, stop } = await start();
    const ids: string[] = [];
    for (const path of ["/api/agents", "/apps/main/ping-card/", "/nothing?token=abcdef"]) {
      const response = await fetch(url + path);
      await response.arrayBuffer();
      ids.push(response.headers.get("x-request-id") ?? "");
    }
    assert.equal(await stop(), 0);
    const lines: Line[] = script.stderr().trim().split("\n").map((line) => JSON.parse(line));
    const requests = lines.filter(({ event }) => event === "request");
    assert.deepEqual(requests.map(({ request_id }) => request_id), ids);
    assert.deepEqual(requests.map(({ status }) => status), [200, 200, 404]);
    assert.deepEqual(requests.map(({ route }) => route), [
      "/api/agents",
      "/apps/:agent/:app",
      null,
    ]);
    assert.match(lines[0].message, /^made .* a first app: http/);
    assert.equal(lines.at(-1).message, "stopping");
    assert.doesNotMatch(script.stderr(), /abcdef/);
  });

  it("tells no token, wherever a client puts it", async () => {
    const file = join(directory.path, "token");
    writeFileSync(file, TOKEN, { mode: 0o600 });
    const { url, script, stop } = await start(["--token-file", file]);
    const headers = { authorization: `Bearer ${TOKEN}`, cookie: `holon_session_1=${TOKEN}` };
    const ways: [path: string, init: RequestInit][] = [
      ["/api/agents", { headers }],
      [`/api/agents?token=${TOKEN}`, {}],
      [`/${TOKEN}`, { headers }],
      [`/api/agents/${TOKEN}%20`, { headers }],
      ["/api/auth/session/exchange", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ credential: TOKEN }),
      }],
    ];
    for (const [path, init] of ways) await (await fetch(url + path, init)).arrayBuffer();
    assert.equal(await stop(), 0);
    assert.equal(script.stderr().match(/"event":"request"/g)?.length, ways.length);
    assert.ok(!script.stderr().includes(TOKEN), script.stderr());
  });

  it("is short with --log text, and silent about requests with HOLON_LOG=off", async () => {
    const text = await start(["--log", "text"]);
    for (const path of ["/api/agents", "/nothing"]) {
      await (await fetch(text.url + path)).arrayBuffer();
    }
    await text.stop();
    assert.match(
      text.script.stderr(),
      /^holon: made .*\n\d\d:\d\d:\d\d 404 GET .*\nholon: stopping\n$/,
    );
    const off = await start([], { HOLON_LOG: "off" });
    await (await fetch(`${off.url}/nothing`)).arrayBuffer();
    await off.stop();
    assert.equal(off.script.stderr(), "holon: stopping\n");
  });

  it("doesn't hold the server up when nobody reads it, nor when its reader has gone", async () => {
    for (const leave of [false, true]) {
      const { url, script, stop } = await start();
      if (leave) script.child.stderr?.destroy();
      else script.child.stderr?.pause();
      for (let round = 0; round < 30; round++) {
        await Promise.all(Array.from({ length: 20 }, async () => {
          const response = await fetch(`${url}/api/agents`);
          assert.equal(response.status, 200);
          await response.arrayBuffer();
        }));
      }
      assert.equal(await stop(), 0);
    }
  });

  it("is refused in another format", async () => {
    const flag = await run(["serve", "--log", "xml"], { home: directory.path });
    assert.equal(flag.code, 2);
    const variable = await run(["serve", "--port", "0"], {
      home: directory.path,
      env: { HOLON_LOG: "xml" },
    });
    assert.equal(variable.code, 2);
    assert.match(variable.err, /^holon: HOLON_LOG has "xml".*\n.*json, text or off/);
  });
});
