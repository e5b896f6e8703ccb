import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { get, rawConnect } from "../support/raw_http.ts";
import { type RunningScript, scriptCommand, startScript } from "../support/runtime.ts";
import { type ServedHolon, startHolon } from "../support/served_holon.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { run } from "./memory_io.ts";

let directory: TempDirectory;
let home: string;
let scripts: RunningScript[] = [];
let sleeper: ChildProcess | undefined;
beforeEach(() => {
  directory = tempDirectory();
  home = join(directory.path, "home");
});
afterEach(async () => {
  for (const script of scripts) await script.stop();
  scripts = [];
  sleeper?.kill("SIGKILL");
  sleeper = undefined;
  directory.remove();
});

const program = scriptCommand("mod.ts");

async function serve(): Promise<ServedHolon> {
  const holon = await startHolon({ home, program });
  scripts.push(holon.script);
  return holon;
}

function attempt(): RunningScript {
  const script = startScript("mod.ts", {
    command: [...program, "serve", "--port", "0"],
    env: { HOLON_HOME: home, HOLON_HTTP_ADDR: undefined, HOLON_CONTROL_TOKEN: undefined },
  });
  scripts.push(script);
  return script;
}

describe("serve ends", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it(`with 0 on ${signal} within 5 s while streams are open`, async () => {
      const holon = await serve();
      const port = Number(new URL(holon.url).port);
      const stream = await rawConnect({ port });
      stream.write(get("/apps/main/ping-card/events", "Accept: text/event-stream"));
      assert.equal((await stream.head()).status, 200);
      const idle = await rawConnect({ port });
      const before = performance.now();
      assert.equal(await holon.script.stop(signal), 0);
      assert.ok(performance.now() - before < 5_000);
      await stream.ended();
      await idle.ended();
      assert.ok(!existsSync(join(home, "run/holon.sock")));
      assert.match(holon.script.stderr(), /^\{.*"event":"notice","message":"stopping"\}$/m);
    });
  }

  it("on the control API's word", async () => {
    const holon = await serve();
    const response = await fetch(`${holon.url}/api/control/runtime/shutdown`, { method: "POST" });
    const body = await response.json();
    assert.equal(body.shutdown_requested, true);
    assert.equal(body.pid, holon.script.pid);
    assert.equal(await holon.script.exited, 0);
  });

  it("and can be started again at once, also after kill -9", async () => {
    const first = await serve();
    await first.script.stop("SIGKILL");
    const second = await serve();
    assert.equal((await run(["agents", "list"], { home })).code, 0);
    assert.equal(await second.stop(), 0);
    assert.equal(await (await serve()).stop(), 0);
  });
});

describe("a second serve on the same home", () => {
  it("is refused with a sentence that names the first", async () => {
    const first = await serve();
    const second = attempt();
    assert.equal(await second.exited, 1);
    assert.equal(second.stdout(), "");
    assert.equal(second.stderr().trim().split("\n").length, 1);
    assert.ok(second.stderr().includes(`pid ${first.script.pid}`), second.stderr());
    assert.ok(second.stderr().includes(first.url), second.stderr());
    assert.equal((await run(["agents", "list"], { home })).code, 0, "the first goes on");
  });
});

describe("files in run/ that a crash left behind (BR-41)", () => {
  function runFiles(): string[] {
    return readdirSync(join(home, "run"), { withFileTypes: true })
      .filter((entry) => entry.isFile()).map(({ name }) => join(home, "run", name));
  }

  it("with the pid of another program keep nothing from starting", async () => {
    const first = await serve();
    const { pid } = first.script;
    await first.script.stop("SIGKILL");
    sleeper = spawn("sleep", ["600"], { stdio: "ignore" });
    for (const file of runFiles()) {
      const content = readFileSync(file, "utf8").replaceAll(String(pid), String(sleeper.pid));
      writeFileSync(file, content);
    }
    const doctor = await run(["doctor"], { home, env: { HOLON_HTTP_ADDR: "127.0.0.1:0" } });
    assert.match(doctor.out, /No server runs/);
    await (await serve()).stop();
    assert.equal(sleeper.exitCode, null);
    assert.equal(sleeper.signalCode, null);
  });

  it("with nonsense in them keep nothing from starting, or are named", async () => {
    await (await serve()).script.stop("SIGKILL");
    const files = runFiles();
    assert.ok(files.length > 0);
    for (const content of ["1", "0", "-1", "", "garbage", '{"pid":1}']) {
      for (const file of files) writeFileSync(file, content);
      await (await serve()).script.stop("SIGKILL");
    }
    for (const file of files) {
      rmSync(file);
      mkdirSync(file);
      const script = attempt();
      const outcome = await Promise.race([
        script.exited,
        script.line(/^holon listening/).then(() => "listening", () => script.exited),
      ]);
      if (outcome !== "listening") {
        assert.equal(outcome, 1);
        assert.ok(/run\/\S/.test(script.stderr()), script.stderr());
        assert.doesNotMatch(script.stderr(), /\n\s+at /);
      }
      await script.stop();
      rmSync(file, { recursive: true });
    }
    writeFileSync(join(home, "run/holon.json"), "{}");
    chmodSync(join(home, "run/holon.json"), 0);
    await (await serve()).stop();
  });
});
