import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { createHost } from "../../src/host/current.ts";
import { type RunningScript, startScript } from "../support/runtime.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { until } from "../support/until.ts";

const SERVER = fileURLToPath(new URL("fixtures/run_agents.ts", import.meta.url));
const { processes } = createHost();

/** Notes its pid, one line a run; the first run then hangs and ignores SIGTERM. */
const WORKER = `
  echo $$ >> runs
  if [ "$HOLON_ATTEMPT" = 1 ]; then trap "" TERM; while :; do sleep 1; done; fi
  cat`;

/** Says that it is there, then keeps what it gets. */
const READER = `touch here; cat > part.$$; mv part.$$ got.$$; test -s got.$$`;

/** Whether the pid of the runner is in the database, which it is a commit after the start. */
function isNoted(home: string): boolean {
  const database = new DatabaseSync(join(home, "holon.db"), { readOnly: true });
  try {
    const sql = "SELECT count(*) AS n FROM messages WHERE process_pid IS NOT NULL";
    return database.prepare(sql).get()?.n === 1;
  } finally {
    database.close();
  }
}

describe("a server that is killed while a runner works", () => {
  let home: TempDirectory;
  let scripts: RunningScript[];

  beforeEach(() => {
    home = tempDirectory();
    scripts = [];
  });

  afterEach(async () => {
    await Promise.all(scripts.map((script) => script.stop()));
    home.remove();
  });

  function start(payloads: string[] = [], env: Record<string, string> = {}): RunningScript {
    const script = startScript(SERVER, { args: [home.path, ...payloads], env });
    scripts.push(script);
    return script;
  }

  /** Gives the agent `main` a shell script as its runner, and its folder's path. */
  function withRunner(script: string): string {
    const agent = join(home.path, "agents/main");
    mkdirSync(agent, { recursive: true });
    const config = { runner: { command: ["/bin/sh", "-c", script] } };
    writeFileSync(join(agent, "agent.json"), JSON.stringify(config), { mode: 0o600 });
    return agent;
  }

  it(
    "ends the runner that outlived it, then delivers the message again",
    { skip: existsSync("/proc/self/stat") ? false : "needs /proc", timeout: 60_000 },
    async () => {
      const agent = withRunner(WORKER);
      const runs = () => {
        const path = join(agent, "runs");
        return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").map(Number) : [];
      };

      const first = start(["work"]);
      await first.line(/^message_processing_started/);
      while (runs().length === 0) await sleep(5);
      while (!isNoted(home.path)) await sleep(5);
      await first.stop("SIGKILL");
      const [survivor] = runs();
      assert(survivor !== undefined && processes.startTime(survivor) !== null, "it outlives");

      const second = start();
      await second.line(/^message_succeeded/);
      const order = second.stdout().split("\n").map((line) => line.split(" ")[0]).filter(Boolean);
      assert.deepEqual(order, [
        "message_enqueued",
        "message_processing_started",
        "message_requeued",
        "message_processing_started",
        "message_succeeded",
      ]);
      assert.equal(processes.startTime(survivor), null);
      assert.equal(runs().length, 2);
      assert.equal(second.stderr(), "");
    },
  );

  it("gives no message to a runner that it has not recorded", { timeout: 60_000 }, async () => {
    const agent = withRunner(READER);
    const received = () => readdirSync(agent).filter((name) => name.startsWith("got."));

    const first = start(["work"], { HOLON_TEST_NEVER_RECORD: "1" });
    await until(() => existsSync(join(agent, "here")));
    await first.stop("SIGKILL");
    await until(() => received().length === 1);
    const [early = ""] = received();
    assert.equal(readFileSync(join(agent, early), "utf8"), "");

    const second = start();
    await second.line(/^message_succeeded/);
    const [late = ""] = received().filter((name) => name !== early);
    assert.equal(JSON.parse(readFileSync(join(agent, late), "utf8")).payload, "work");
    assert.equal(received().length, 2);
  });
});
