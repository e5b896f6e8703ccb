/** `holon daemon` with whole programs: what starts, stays, is told of, and ends. */

import assert from "node:assert/strict";

import { existsSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, it } from "node:test";
import { VERSION } from "../../src/version.ts";
import { startScript } from "../support/runtime.ts";
import { until } from "../support/until.ts";
import { ABSOLUTE_PROGRAMS, type DaemonHome, daemonHome } from "./daemon_home.ts";

const onLinux = process.platform === "linux" ? false : "needs Linux's /proc";

/** Runs a whole command line, and gives its exit code and what it printed. */
async function shell(command: readonly string[], env: Record<string, string | undefined>) {
  const script = startScript("", { command, env, cwd: "/" });
  const code = await script.exited;
  return { code, out: script.stdout(), err: script.stderr() };
}

for (const [name, program] of Object.entries(ABSOLUTE_PROGRAMS)) {
  it(`daemon start, status and stop on ${name}`, { skip: onLinux }, async () => {
    const { directory, home, inRun, remove } = daemonHome();
    const cli = (...args: string[]) =>
      shell([...program, "daemon", ...args], {
        HOLON_HOME: home,
        HOLON_HTTP_ADDR: "127.0.0.1:0",
        HOLON_CONTROL_TOKEN: undefined,
      });
    try {
      const start = await cli("start", "--token=inline-secret-0123456789", "--json");
      assert.equal(start.code, 0, start.err);
      const { pid, http_addr, ...report } = JSON.parse(start.out);
      assert.equal(report.action, "start");
      assert.equal(report.state, "running");
      assert.equal(report.healthy, true);
      // In a session of its own, with nothing of the terminal, nor of the folder that it began in.
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
      assert.deepEqual(stat.slice(2, 4).map(Number), [pid, pid], "process group and session");
      assert.equal(readlinkSync(`/proc/${pid}/cwd`), "/");
      for (const descriptor of [0, 1]) {
        assert.equal(readlinkSync(`/proc/${pid}/fd/${descriptor}`), "/dev/null");
      }
      assert.equal(readlinkSync(`/proc/${pid}/fd/2`), inRun("daemon.err"));
      assert.match(readFileSync(`/proc/${pid}/status`, "utf8"), /^Umask:\s0077$/m);
      // The token is asked for, and is nowhere that others can see.
      const refused = await fetch(`http://${http_addr}/api/agents`);
      await refused.body?.cancel();
      assert.equal(refused.status, 401);
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      const record = readFileSync(inRun("daemon.json"), "utf8");
      assert.ok(!(command + record + start.out + start.err).includes("inline-secret"));
      assert.equal(JSON.parse(record).control_token_env_configured, true);
      assert.equal(JSON.parse(record).version, VERSION);
      for (const file of ["daemon.json", "daemon.log", "daemon.err", "holon.pid", "holon.json"]) {
        assert.equal(statSync(inRun(file)).mode & 0o777, 0o600, file);
      }
      process.kill(pid, "SIGHUP");
      const status = await cli("status");
      assert.equal(status.code, 0, status.err);
      assert.match(status.out, new RegExp(`^running: Holon runs at http://.*\\(pid ${pid}\\)\n`));
      const stop = await cli("stop");
      assert.equal(stop.code, 0, stop.err);
      assert.equal(stop.out, `Holon (pid ${pid}) has ended\n`);
      for (const file of ["holon.sock", "holon.pid", "holon.json", "daemon.json"]) {
        assert.ok(!existsSync(inRun(file)), file);
      }
      assert.ok(existsSync(inRun("daemon.log")));
      assert.equal((await cli("status", "--json")).code, 1);
      assert.equal((await cli("stop")).code, 0);
    } finally {
      remove();
      assert.ok(!existsSync(directory.path));
    }
  });
}

describe("holon daemon", { skip: onLinux }, () => {
  let it_: DaemonHome;
  beforeEach(() => void (it_ = daemonHome()));
  afterEach(() => it_.remove());

  it("says that it is running already, or how the options differ", async () => {
    const first = await it_.report(["start"]);
    assert.equal(first.code, 0);
    assert.equal(first.changed, true);
    const same = await it_.report(["start"]);
    assert.deepEqual([same.code, same.changed, same.pid], [0, false, first.pid]);
    assert.match(same.message, /already running at http/);
    const other = await it_.report(["start", "--port=1"]);
    assert.deepEqual([other.code, other.ok, other.pid], [1, false, first.pid]);
    assert.deepEqual(other.differences, [
      { field: "listen", running: "127.0.0.1:0", asked: "127.0.0.1:1" },
    ]);
    assert.match(other.hint, /daemon restart/);
    const token = join(it_.directory.path, "token");
    writeFileSync(token, "0123456789abcdef-one\n", { mode: 0o600 });
    const withToken = await it_.daemon(["start", `--token-file=${token}`]);
    assert.equal(withToken.code, 1);
    assert.match(withToken.err, /by other options: token_source, token_file\n {2}token_source: /);
    // Another token in the same file is another option too.
    assert.equal((await it_.report(["restart", `--token-file=${token}`])).code, 0);
    assert.equal((await it_.report(["start", `--token-file=${token}`])).changed, false);
    writeFileSync(token, "0123456789abcdef-two\n");
    const changed = await it_.report(["start", `--token-file=${token}`]);
    assert.deepEqual([changed.code, changed.differences[0].field], [1, "token"]);
  });

  it("keeps the options of the last start, but for an inline token", async () => {
    const inline = { env: { HOLON_CONTROL_TOKEN: "0123456789abcdef-inline" } };
    const first = await it_.report(
      ["start", "--access=tunnel", "--port=0", "--advertise=http://lab.example:1", "--log=text"],
      inline,
    );
    assert.equal(first.code, 0, first.message);
    const refused = await it_.daemon(["restart"]);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /inline[^]*--token-file/);
    assert.equal((await it_.report(["status"])).pid, first.pid, "nothing was stopped");
    const second = await it_.report(["restart"], inline);
    assert.equal(second.code, 0, second.message);
    assert.notEqual(second.pid, first.pid);
    const record = () => JSON.parse(readFileSync(it_.inRun("daemon.json"), "utf8"));
    assert.deepEqual(record().options, {
      access: "tunnel",
      port: 0,
      advertise: "http://lab.example:1",
      log: "text",
    });
    assert.equal(second.config_fingerprint_match, true);
    const third = await it_.report(["restart", "--listen=127.0.0.1:0"], inline);
    assert.equal(third.code, 0, third.message);
    assert.deepEqual(record().options, {
      access: "tunnel",
      listen: "127.0.0.1:0",
      log: "text",
    });
    // Also after a crash, and where the new options are of no use.
    process.kill(third.pid, "SIGKILL");
    await until(async () => (await it_.report(["status"])).state === "stale");
    const busy = createServer().listen(0, "127.0.0.1");
    await once(busy, "listening");
    const { port } = busy.address() as AddressInfo;
    const bad = await it_.report(["restart", `--port=${port}`], inline);
    busy.close();
    assert.equal(bad.code, 1);
    assert.match(bad.message, /could not start: another program listens on/);
    const last = await it_.report(["restart", "--port=0"], inline);
    assert.equal(last.code, 0, last.message);
    assert.equal(record().options.log, "text");
    // The disk may have had no room for the newest record.
    writeFileSync(it_.inRun("daemon.json"), JSON.stringify({ ...record(), pid: first.pid }));
    assert.equal((await it_.report(["restart"], inline)).code, 0);
    writeFileSync(it_.inRun("daemon.json"), "");
    assert.match((await it_.daemon(["restart"], inline)).err, /no record of its options/);
  });

  it("tells of a crash, and of a failed start only until one succeeds", async () => {
    const first = await it_.report(["start"]);
    process.kill(first.pid, "SIGKILL");
    await until(async () => (await it_.report(["status"])).state !== "running");
    const crashed = await it_.report(["status"]);
    assert.equal(crashed.state, "stale");
    assert.deepEqual(
      crashed.stale_files.map((path: string) => path.split("/").at(-1)).sort(),
      ["holon.json", "holon.pid", "holon.sock"],
    );
    assert.equal(crashed.last_failure.phase, "runtime");
    writeFileSync(join(it_.home, "config.json"), '{"events":{"window":"many"}}');
    const failed = await it_.report(["start"]);
    assert.equal(failed.code, 1);
    assert.match(failed.message, /could not start: config\.json: events\.window has to be/);
    assert.equal((await it_.report(["status"])).last_failure.phase, "startup");
    assert.equal(
      JSON.parse(readFileSync(it_.inRun("startup_failure.json"), "utf8")).message,
      failed.message,
    );
    assert.match((await it_.daemon(["logs"])).out, /events\.window/);
    writeFileSync(join(it_.home, "config.json"), "{}");
    assert.equal((await it_.report(["start"])).code, 0);
    const status = await it_.report(["status"]);
    assert.equal(status.last_failure, undefined);
    assert.ok(!existsSync(it_.inRun("last_failure.json")));
  });

  it("prints the end of the log, and follows it", async () => {
    const { http_addr } = await it_.report(["start"]);
    const get = async (path: string) =>
      await (await fetch(`http://${http_addr}${path}`)).body?.cancel();
    await get("/apps/main/ping-card/");
    const seen = (text: string) => text.split("\n").filter((line) => /GET.*\/apps\//.test(line));
    await until(async () => seen((await it_.daemon(["logs", "--tail=50"])).out).length === 1);
    assert.equal((await it_.daemon(["logs", "--tail=0"])).out, "");
    assert.match(
      seen((await it_.daemon(["logs"])).out)[0]!,
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d info {2}200 GET \/apps\/\S* main\/ping-card [\d.]+ ms$/,
    );
    assert.equal((await it_.report(["logs", "--tail=2"])).lines.length, 2);
    const stop = new AbortController();
    let followed = "";
    const following = it_.daemon(["logs", "--follow", "--tail=0", "--json"], {
      stop: stop.signal,
      onOut: (text) => followed += text,
    });
    await until(async () => {
      await get("/apps/main/ping-card/");
      return seen(followed).length > 0;
    });
    stop.abort();
    assert.equal((await following).code, 0);
    assert.equal(seen(followed).every((line) => JSON.parse(line).status === 200), true);
  });

  it("starts once where ten start it at once", async () => {
    const command = [...ABSOLUTE_PROGRAMS.bun, "daemon", "start", "--json"];
    const env = {
      HOLON_HOME: it_.home,
      HOLON_HTTP_ADDR: "127.0.0.1:0",
      HOLON_CONTROL_TOKEN: undefined,
    };
    const all = await Promise.all(Array.from({ length: 10 }, () => shell(command, env)));
    assert.deepEqual(all.map(({ code }) => code), Array(10).fill(0), all[0]?.err);
    const reports = all.map(({ out }) => JSON.parse(out));
    assert.equal(reports.filter(({ changed }) => changed).length, 1);
    assert.equal(new Set(reports.map(({ pid }) => pid)).size, 1);
    assert.equal((await it_.report(["stop"])).code, 0);
  });
});

describe("a server that was not started by holon daemon", { skip: onLinux }, () => {
  it("is told of and stopped, and not restarted", async () => {
    const { home, report, daemon, remove } = daemonHome();
    const script = startScript("", {
      command: [...ABSOLUTE_PROGRAMS.node, "serve", "--port", "0", "--home", home],
      env: { HOLON_CONTROL_TOKEN: undefined },
    });
    try {
      await script.line(/^holon listening/);
      const status = await report(["status"]);
      assert.deepEqual([status.code, status.pid], [0, script.pid]);
      assert.match((await daemon(["restart"])).err, /was not started by `holon daemon`/);
      assert.match((await daemon(["logs"])).err, /there is no log/);
      const stop = await report(["stop"]);
      assert.equal(stop.code, 0);
      assert.equal(await script.exited, 0);
    } finally {
      await script.stop();
      remove();
    }
  });
});
