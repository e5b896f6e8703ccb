import assert from "node:assert/strict";
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createHolon, type Holon } from "../../src/holon.ts";
import { createHost } from "../../src/host/current.ts";
import type { Listener } from "../../src/host/types.ts";
import { readCases } from "../support/cases.ts";
import { rawConnect, type RawResponse } from "../support/raw_http.ts";
import { tempDirectory } from "../support/temp_home.ts";

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
  const home = realpathSync(tempDirectory().path);
  const root = join(home, "agents/main/apps/t");
  const errors: unknown[] = [];
  let holon: Holon;
  let listener: Listener;
  let port: number;
  before(async () => {
    const files: Record<string, string> = {
      "t/index.html": "entry",
      "t/ten.txt": TEN,
      "t/sub/deep/x.txt": TEN,
      "t/.hidden": CANARY,
      "t/.dotdir/f.txt": CANARY,
      "t/.ssh/id_rsa": CANARY,
      "root/ten.txt": CANARY,
      "root/index.html": CANARY,
      "secret.txt": CANARY,
      "../secret.txt": CANARY,
      "../../secret.txt": CANARY,
      "../../../secret.txt": CANARY,
    };
    for (const [path, content] of Object.entries(files)) {
      const full = join(root, "..", path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
    }
    symlinkSync("../secret.txt", join(root, "link_out.txt"));
    symlinkSync("/etc", join(root, "link_etc"));
    symlinkSync("ten.txt", join(root, "link_in.txt"));
    const host = createHost();
    holon = await createHolon({ host, home, token: null, onError: (error) => errors.push(error) });
    listener = await host.listen({
      address: { transport: "tcp", host: "127.0.0.1", port: 0 },
      fetch: (request, info) => holon.fetch(request, info),
    });
    port = listener.address.transport === "tcp" ? listener.address.port : 0;
  });
  after(async () => {
    await listener.close(0);
    await holon.close();
    rmSync(home, { recursive: true });
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
    assert.deepEqual(errors, []);
  });

  function checkHarmless(target: string, response: RawResponse): void {
    const { status } = response;
    const text = response.text();
    const told = `${target} gave ${status} ${text.slice(0, 100)}`;
    assert.ok(status < 500, told);
    assert.ok(!text.includes(CANARY) && !text.includes("root:"), told);
    assert.ok(!text.includes(home) || target.includes(home), told);
    // What is served is a file of the app, the list of apps or the home page; all else is refused.
    if (status === 200) {
      const isPage = text.startsWith("<!DOCTYPE html>");
      assert.ok(isPage || text === TEN || text === "entry" || text.includes('"apps"'), told);
    } else if (status >= 300 && status < 400) {
      assert.match(response.header("location") ?? "", /^\/apps\/main\/[\w-]+\/(?:\?|$)/, told);
    } else assert.ok(status >= 400, told);
  }
});
