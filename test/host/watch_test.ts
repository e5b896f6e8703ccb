import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createHost } from "../../src/host/current.ts";
import { HostError } from "../../src/host/types.ts";
import { tempDirectory } from "../support/temp_home.ts";
import { until } from "../support/until.ts";

describe("HostFiles.watch()", () => {
  const { files } = createHost();
  const directory = tempDirectory();
  const root = directory.path;
  const open: (() => void)[] = [];
  let changes = 0;

  before(() => writeFileSync(join(root, "a.txt"), "a"));
  after(() => directory.remove());
  afterEach(() => open.splice(0).forEach((close) => close()));

  /** Watches, and waits until changes are seen: Deno misses those that come at once. */
  async function watch(path: string): Promise<() => void> {
    const listener = { onChange: () => void changes++, onLost: () => assert.fail("lost") };
    const close = files.watch(path, listener);
    open.push(close);
    changes = 0;
    await until(() => {
      writeFileSync(join(path, "probe"), "x");
      return changes > 0;
    });
    await rest();
    return close;
  }

  /** Resolves when no more events come, and forgets those that came. */
  async function rest(): Promise<void> {
    for (let before = -1; before !== changes;) {
      before = changes;
      await delay(100);
    }
    changes = 0;
  }

  const deeds: [what: string, act: () => void][] = [
    ["a file is written", () => writeFileSync(join(root, "a.txt"), "b")],
    ["a file is made", () => writeFileSync(join(root, "b.txt"), "b")],
    ["a file is replaced by a rename", () => {
      writeFileSync(join(root, "b.tmp"), "c");
      renameSync(join(root, "b.tmp"), join(root, "b.txt"));
    }],
    ["a file that was replaced is removed", () => rmSync(join(root, "b.txt"))],
    ["a folder is made", () => mkdirSync(join(root, "sub"))],
    ["a folder is removed", () => rmSync(join(root, "sub"), { recursive: true })],
  ];
  for (const [what, act] of deeds) {
    it(`tells when ${what}`, async () => {
      await watch(root);
      act();
      await until(() => changes > 0);
    });
  }

  it("tells when the folder itself is moved away", async () => {
    const folder = join(root, "moving");
    mkdirSync(folder);
    await watch(folder);
    renameSync(folder, join(root, "moved"));
    await until(() => changes > 0);
  });

  it("tells nothing once it is closed", async () => {
    const close = await watch(root);
    close();
    close();
    writeFileSync(join(root, "a.txt"), "closed");
    await delay(200);
    assert.equal(changes, 0);
  });

  it("refuses what is not there, at once or soon", async () => {
    let lost: unknown = null;
    const listener = {
      onChange: () => {},
      onLost: (error: unknown) => void (lost = error),
    };
    try {
      open.push(files.watch(join(root, "nothing"), listener));
      await until(() => lost !== null);
    } catch (error) {
      lost = error;
    }
    assert.ok(lost instanceof HostError && lost.code === "not_found", String(lost));
  });
});
