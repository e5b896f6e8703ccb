import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { folderSource } from "../../src/apps/folder_source.ts";
import { NO_SIDECARS } from "../../src/apps/sidecar_names.ts";
import { Fault } from "../../src/fault.ts";
import { HostError, type HostErrorCode, type HostFiles } from "../../src/host/types.ts";
import { type AppHandler, createAppHandler } from "../support/app_handler.ts";
import { startScript } from "../support/runtime.ts";

describe("folderSource()", () => {
  let handler: AppHandler;
  let root: string;
  before(() => {
    handler = createAppHandler();
    handler.write({ "a/index.html": "A", "a/f.txt": "F" });
    root = join(handler.home, "agents/main/apps/a");
  });
  after(() => handler.remove());

  /** The host's files, but for opening. */
  const openingBy = (openCanonical: HostFiles["openCanonical"]): HostFiles => {
    const { files } = handler;
    return {
      ...files,
      realpath: (path) => files.realpath(path),
      lstat: (path) => files.lstat(path),
      openCanonical,
    };
  };
  const outcome = async (files: HostFiles): Promise<string> => {
    try {
      (await folderSource(files, root, NO_SIDECARS).open(["f.txt"])).file.close();
      return "opened";
    } catch (error) {
      assert.ok(error instanceof Fault);
      assert.ok(!error.message.includes(handler.home), "no host path is told");
      return `${error.status} ${error.code}`;
    }
  };

  const failures: [code: HostErrorCode, expected: string][] = [
    ["denied", "403 forbidden"],
    ["not_found", "404 not_found"],
    ["loop", "404 not_found"],
    ["too_many_open_files", "503 service_unavailable"],
    ["io", "500 app_host_error"],
    ["moved", "503 service_unavailable"],
  ];
  for (const [code, expected] of failures) {
    it(`answers ${expected} when opening fails with ${code}`, async () => {
      const files = openingBy((path) => {
        throw new HostError(code, `Opening ${path}`);
      });
      assert.equal(await outcome(files), expected);
    });
  }

  it("resolves again when the path is swapped under it", async () => {
    let attempts = 0;
    const files = openingBy((path) => {
      attempts += 1;
      if (attempts < 3) throw new HostError("moved", path);
      return handler.files.openCanonical(path);
    });
    assert.equal(await outcome(files), "opened");
    assert.equal(attempts, 3);
  });

  it("lets nothing out while a folder is swapped for a link", { timeout: 60_000 }, async () => {
    const outside = join(handler.home, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "s.txt"), "CANARY");
    mkdirSync(join(root, "real"));
    writeFileSync(join(root, "real/s.txt"), "INSIDE");
    symlinkSync(outside, join(root, "link"));
    const script = startScript("test/support/swapping_script.ts", { args: [root, "1500"] });
    let ended = false;
    script.exited.then(() => ended = true);
    const seen = new Map<string, number>();
    while (!ended) {
      for (let round = 0; round < 20; round++) {
        const response = await handler.fetch("/apps/main/a/door/s.txt");
        const text = await response.text();
        assert.ok(!text.includes("CANARY"));
        const what = response.status === 200 ? text : String(response.status);
        seen.set(what, (seen.get(what) ?? 0) + 1);
      }
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    assert.equal(await script.exited, 0);
    const possible = new Set(["INSIDE", "403", "404", "503"]);
    assert.ok([...seen.keys()].every((what) => possible.has(what)), [...seen.keys()].join());
    assert.ok(seen.has("INSIDE") && seen.has("403"), "both sides of the swap were seen");
    assert.equal(handler.permits.free, 16);
    assert.deepEqual(handler.unexpected, []);
  });
});
