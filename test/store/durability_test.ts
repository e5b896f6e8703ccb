import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openHomeDatabase } from "../../src/store/open_home_database.ts";
import { type RunningScript, startScript } from "../support/runtime.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";

const WRITER = fileURLToPath(new URL("fixtures/write_notes.ts", import.meta.url));
const KILLS = 12;
const COPIES = 12;

/** What a process printed: the numbers of the writes that were acknowledged to it. */
function acknowledged(script: RunningScript): number[] {
  const lines = script.stdout().split("\n").slice(0, -1);
  return lines.filter((line) => /^\d+$/.test(line)).map(Number);
}

/** Waits until so many writes were acknowledged; a writer that ends by itself fails the test. */
async function untilAcknowledged(script: RunningScript, count: number): Promise<void> {
  while (acknowledged(script).length < count) {
    const outcome = await Promise.race([script.exited, sleep(20)]);
    if (outcome !== undefined) assert.fail(`the writer ended: ${outcome}\n${script.stderr()}`);
  }
}

describe("a home's database", () => {
  let directory: TempDirectory;
  let script: RunningScript | undefined;

  beforeEach(() => {
    directory = tempDirectory();
    script = undefined;
  });

  afterEach(async () => {
    await script?.stop();
    directory.remove();
  });

  /** Checks that a database is sound and holds every number. */
  async function verify(home: string, numbers: readonly number[]): Promise<void> {
    const { database, notice } = openHomeDatabase({ home, now: Date.now });
    assert.equal(notice, null);
    const check = database.read((sql) => sql.get("PRAGMA integrity_check"));
    assert.deepEqual(Object.values(check ?? {}), ["ok"]);
    const rows = database.read((sql) => sql.all("SELECT created_at AS number FROM sessions"));
    const stored = new Set(rows.map((row) => row.number));
    assert.deepEqual(numbers.filter((number) => !stored.has(number)), []);
    await database.close();
  }

  it(
    "holds every acknowledged write after its process was killed",
    { timeout: 120_000 },
    async () => {
      const all: number[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const running = startScript(WRITER, { args: [directory.path] });
        script = running;
        await running.line(/^ready$/);
        const enough = 1 + Math.floor(Math.random() * 400);
        await untilAcknowledged(running, enough);
        await running.stop("SIGKILL");
        all.push(...acknowledged(running));
        await verify(directory.path, all);
      }
      assert.equal(new Set(all).size, all.length);
    },
  );

  it("can be copied at any moment under load (BR-38)", { timeout: 120_000 }, async () => {
    const running = startScript(WRITER, { args: [join(directory.path)] });
    script = running;
    await running.line(/^ready$/);
    for (let copy = 0; copy < COPIES; copy++) {
      const seen = acknowledged(running).length;
      const enough = seen + 1 + Math.floor(Math.random() * 200);
      await untilAcknowledged(running, enough);
      const before = acknowledged(running);
      const target = tempDirectory();
      try {
        await promisify(execFile)("cp", ["-r", `${directory.path}/.`, target.path]);
        await verify(target.path, before);
      } finally {
        target.remove();
      }
    }
  });
});
