import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Listener } from "../../src/host/types.ts";
import { type AppHandler, createAppHandler } from "../support/app_handler.ts";
import { readCases } from "../support/cases.ts";
import { rawConnect, type RawResponse } from "../support/raw_http.ts";

interface TraversalCase {
  readonly id: number;
  readonly target: string;
  readonly kind: string;
}

const CASES = readCases<TraversalCase>("traversal_payloads.json");
const CANARY = "CANARY-7d1f";
const TEN = "0123456789";
const BASE = "/apps/main/t";

describe("the shared traversal payloads", () => {
  let handler: AppHandler;
  let listener: Listener;
  let port: number;
  let root: string;
  before(async () => {
    handler = createAppHandler();
    root = join(handler.home, "agents/main/apps/t");
    handler.write({
      "t/index.html": "entry",
      "t/ten.txt": TEN,
      "t/sub/deep/x.txt": TEN,
      "t/.hidden": CANARY,
      "t/.dotdir/f.txt": CANARY,
      "t/.ssh/id_rsa": CANARY,
      "root/ten.txt": CANARY,
      "root/index.html": CANARY,
      "secret.txt": CANARY,
    });
    for (const folder of ["", "agents", "agents/main"]) {
      writeFileSync(join(handler.home, folder, "secret.txt"), CANARY);
    }
    symlinkSync("../secret.txt", join(root, "link_out.txt"));
    symlinkSync("/etc", join(root, "link_etc"));
    symlinkSync("ten.txt", join(root, "link_in.txt"));
    ({ port, listener } = await handler.listen());
  });
  after(async () => {
    await listener.close(0);
    handler.remove();
  });

  async function send(target: string): Promise<RawResponse> {
    const connection = await rawConnect({ port });
    try {
      const lines = [`GET ${target} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", "", ""];
      connection.write(lines.join("\r\n"));
      return await connection.response();
    } finally {
      connection.close();
    }
  }

  /** The payload below the app's path, in whatever form the target has. */
  function belowApp(target: string): string {
    const absolute = /^(https?:\/\/[^/]*)(.*)$/i.exec(target);
    if (absolute !== null) return `${absolute[1]}${BASE}${absolute[2] || "/"}`;
    return target.startsWith("/") ? BASE + target : `${BASE}/${target}`;
  }

  it("are all there", () => assert.ok(CASES.length >= 136));

  for (const { id, target, kind } of CASES) {
    it(`${id}: ${kind}: ${target.slice(0, 60)}`, async () => {
      const filled = target.replaceAll("{ROOT}", root).replaceAll("{FILE}", "ten.txt");
      for (const sent of [filled, belowApp(filled)]) checkHarmless(sent, await send(sent));
      assert.equal((await send(`${BASE}/ten.txt`)).text(), TEN, "the server is alive");
    });
  }

  it("lead nowhere, and a link that stays inside works", async () => {
    assert.equal((await send(`${BASE}/link_in.txt`)).text(), TEN);
    assert.deepEqual(handler.unexpected, []);
    assert.equal(handler.permits.free, handler.permits.limit);
  });

  function checkHarmless(target: string, response: RawResponse): void {
    const { status } = response;
    const text = response.text();
    const told = `${target} gave ${status} ${text.slice(0, 100)}`;
    assert.ok(status < 500, told);
    assert.ok(!text.includes(CANARY) && !text.includes("root:"), told);
    assert.ok(!text.includes(handler.home) || target.includes(handler.home), told);
    // What is served is a file of the app, or its list; all else is refused.
    if (status === 200) {
      assert.ok(text === TEN || text === "entry" || text.includes('"apps"'), told);
    } else if (status >= 300 && status < 400) {
      assert.match(response.header("location") ?? "", /^\/apps\/main\/[\w-]+\/(?:\?|$)/, told);
    } else assert.ok(status >= 400, told);
  }
});
