/** `holon daemon` where something is wrong: nothing is taken for dead that isn't, or ours. */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { type RunningScript, scriptCommand, startScript } from "../support/runtime.ts";
import { until } from "../support/until.ts";
import { type DaemonHome, daemonHome } from "./daemon_home.ts";

const onLinux = process.platform === "linux" ? false : "needs Linux's /proc";

const fixture = (name: string) =>
  scriptCommand(fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)));

describe("holon daemon", { skip: onLinux }, () => {
  let at: DaemonHome;
  let sleeper: ChildProcess | undefined;
  let scripts: RunningScript[] = [];
  let servers: Server[] = [];
  beforeEach(() => void (at = daemonHome()));
  afterEach(async () => {
    sleeper?.kill("SIGKILL");
    sleeper = undefined;
    for (const script of scripts) await script.stop();
    scripts = [];
    for (const server of servers) server.close();
    servers = [];
    at.remove();
  });

  async function occupySocket(): Promise<Server> {
    mkdirSync(join(at.home, "run"), { recursive: true, mode: 0o700 });
    const server = createServer((socket) =>
      socket.on("error", () => {}).resume().end("220 mail\r\n")
    );
    server.listen(at.inRun("holon.sock"));
    await once(server, "listening");
    servers.push(server);
    return server;
  }

  it("takes no pid of another program for the server's (BR-41)", async () => {
    const first = await at.report(["start"]);
    process.kill(first.pid, "SIGKILL");
    await until(async () => (await at.report(["status"])).state !== "running");
    sleeper = spawn("sleep", ["600"], { stdio: "ignore" });
    const replace = (pid: string) => {
      for (const { name } of readdirSync(join(at.home, "run"), { withFileTypes: true })) {
        if (!/\.(?:json|pid)$/.test(name)) continue;
        const content = readFileSync(at.inRun(name), "utf8");
        writeFileSync(at.inRun(name), content.replace(/^(\{\n {2}"pid": )?-?\d+/, `$1${pid}`));
      }
    };
    for (const pid of [String(sleeper.pid), "1", "0", "-1"]) {
      replace(pid);
      const status = await at.report(["status"]);
      assert.deepEqual([status.state, status.code, status.pid], ["stale", 1, undefined], pid);
      assert.equal((await at.report(["stop"])).code, 0);
      assert.equal((await at.report(["status"])).state, "stopped");
      writeFileSync(at.inRun("holon.json"), JSON.stringify({ pid: Number(pid) }));
      writeFileSync(at.inRun("holon.pid"), pid);
    }
    for (const content of ["", "garbage"]) {
      for (const name of ["holon.json", "holon.pid", "daemon.json", "last_failure.json"]) {
        writeFileSync(at.inRun(name), content);
      }
      assert.equal((await at.report(["status"])).state, "stale");
    }
    rmSync(at.inRun("holon.pid"));
    mkdirSync(at.inRun("holon.pid"));
    const again = await at.report(["start"]);
    assert.equal(again.code, 0, again.message);
    assert.equal((await at.report(["stop"])).code, 0);
    assert.equal(sleeper.exitCode, null);
    assert.equal(sleeper.signalCode, null);
  });

  it("takes a halted server for alive, and lets it go on to end it", async () => {
    const { pid } = await at.report(["start"]);
    process.kill(pid, "SIGSTOP");
    await until(async () => (await at.report(["status"])).phase === "suspended");
    const status = await at.report(["status"]);
    assert.deepEqual([status.state, status.healthy, status.code], ["running", false, 1]);
    assert.match(status.message, new RegExp(`halted.*kill -CONT ${pid}`));
    const start = await at.report(["start"]);
    assert.deepEqual([start.code, start.pid], [1, pid], start.message);
    assert.ok(existsSync(at.inRun("holon.sock")));
    process.kill(pid, "SIGCONT");
    await until(async () => (await at.report(["status"])).healthy);
    process.kill(pid, "SIGSTOP");
    await until(async () => (await at.report(["status"])).phase === "suspended");
    const stop = await at.report(["stop"]);
    assert.equal(stop.code, 0);
    assert.equal(stop.message, `Holon (pid ${pid}) has ended`);
  });

  it("takes a slow start for a slow start", async () => {
    const slow = { program: fixture("slow_serve.ts") };
    const late = await at.report(["start", "--start-timeout=2"], slow);
    assert.deepEqual([late.code, late.state, late.phase], [1, "running", "starting"]);
    assert.match(late.message, /not ready yet: it goes on/);
    await until(async () => (await at.report(["status"])).pid === late.pid);
    const status = await at.report(["status"]);
    assert.deepEqual([status.phase, status.last_failure], ["starting", undefined]);
    assert.match((await at.daemon(["restart"])).err, /still starting/);
    const waiting = at.report(["start"]);
    writeFileSync(join(at.home, "go"), "");
    const ready = await waiting;
    assert.deepEqual([ready.code, ready.changed, ready.pid], [0, false, late.pid], ready.message);
    const bad = await at.daemon(["start"], { env: { HOLON_DAEMON_START_TIMEOUT_SECS: "soon" } });
    assert.equal(bad.code, 2);
    assert.match(bad.err, /HOLON_DAEMON_START_TIMEOUT_SECS has "soon"/);
  });

  it("ends a server that hears nothing, step by step", async () => {
    mkdirSync(join(at.home, "run"), { recursive: true, mode: 0o700 });
    const script = startScript("", { command: [...fixture("deaf_serve.ts"), at.home] });
    scripts.push(script);
    await script.line(/^held/);
    const status = await at.report(["status"]);
    assert.deepEqual([status.phase, status.pid], ["unresponsive", script.pid]);
    const start = await at.report(["start"]);
    assert.deepEqual([start.code, start.pid], [1, script.pid]);
    const stop = await at.daemon(["stop"], { env: { HOLON_DAEMON_STOP_TIMEOUT_SECS: "0.3" } });
    assert.equal(stop.code, 0, stop.err);
    assert.match(stop.out, /has ended, by SIGKILL/);
    assert.match(stop.err, /can't be asked to end: SIGTERM[^]*has not ended: SIGKILL/);
    assert.equal(await script.exited, "SIGKILL");
    assert.equal((await at.report(["status"])).state, "stopped");
  });

  it("leaves alone what another program has at the socket's place", async () => {
    const server = await occupySocket();
    const status = await at.report(["status"]);
    assert.deepEqual([status.state, status.phase, status.code], ["stopped", "foreign", 1]);
    const start = await at.report(["start"]);
    assert.equal(start.code, 1);
    assert.match(start.message, /another program listens on its socket/);
    assert.equal((await at.report(["stop"])).code, 0);
    assert.ok(existsSync(at.inRun("holon.sock")));
    assert.ok(server.listening);
    server.close();
    await once(server, "close");
    writeFileSync(at.inRun("holon.sock"), "mine");
    const blocked = await at.report(["start"]);
    assert.equal(blocked.code, 1);
    assert.match(blocked.message, /the socket .* can't be made/);
    assert.equal((await at.report(["stop"])).code, 0);
    assert.equal(readFileSync(at.inRun("holon.sock"), "utf8"), "mine");
  });

  it("finds a server whose socket was removed", async () => {
    const first = await at.report(["start"]);
    rmSync(at.inRun("holon.sock"));
    const status = await at.report(["status"]);
    assert.deepEqual([status.pid, status.healthy, status.control_connectivity], [
      first.pid,
      true,
      "tcp",
    ]);
    assert.equal((await at.report(["start"])).changed, false);
    const second = await at.report(["restart"]);
    assert.equal(second.code, 0, second.message);
    assert.notEqual(second.pid, first.pid);
    assert.equal(second.control_connectivity, "unix_socket");
  });

  it("ends when its home is moved, and writes nothing into another one", async () => {
    const { pid } = await at.report(["start"]);
    const moved = join(at.directory.path, "moved");
    renameSync(at.home, moved);
    mkdirSync(join(at.home, "run"), { recursive: true, mode: 0o700 });
    writeFileSync(at.inRun("holon.json"), "another's");
    const early = await at.report(["status"], { home: moved });
    if (early.state === "running") {
      assert.equal(early.pid, pid);
      assert.match(early.message, /was moved here while it ran/);
    }
    await until(async () => (await at.report(["status"], { home: moved })).state !== "running");
    const status = await at.report(["status"], { home: moved });
    assert.match(status.message, /It was moved here from .*home while its server ran/);
    const log = readFileSync(join(moved, "run/daemon.log"), "utf8");
    assert.match(log, /was moved or removed; start it at its new place/);
    assert.deepEqual(readdirSync(join(at.home, "run")), ["holon.json"]);
    assert.deepEqual(readdirSync(at.home), ["run"]);
    rmSync(at.home, { recursive: true });
    renameSync(moved, at.home);
    assert.equal((await at.report(["start"])).code, 0);
  });

  it("serves on while there is no room for its log", async () => {
    mkdirSync(join(at.home, "run"), { recursive: true, mode: 0o700 });
    symlinkSync("/dev/full", at.inRun("daemon.log"));
    const { http_addr, code } = await at.report(["start"]);
    assert.equal(code, 0);
    const read = async (path: string) => await (await fetch(`http://${http_addr}${path}`)).text();
    const dropped = async () =>
      Number(/^holon_log_dropped_total (\d+)/m.exec(await read("/api/metrics"))?.[1]);
    await until(async () => await dropped() > 5);
    assert.match(await read("/apps/main/ping-card/"), /<!DOCTYPE html>/i);
    rmSync(at.inRun("daemon.log"));
    await until(async () => {
      await read("/apps/main/ping-card/");
      return existsSync(at.inRun("daemon.log")) &&
        /"log_dropped".*lines of the log found no room/.test(
          readFileSync(at.inRun("daemon.log"), "utf8"),
        );
    });
    assert.equal((await at.report(["stop"])).message.endsWith("has ended"), true);
  });

  it("says so where the program can't be started, or the home can't be made", async () => {
    const program = [join(at.directory.path, "missing")];
    const missing = await at.daemon(["start"], { program });
    assert.equal(missing.code, 1);
    assert.match(missing.err, /^holon: .*missing can't be started: it does not exist\n/);
    writeFileSync(join(at.directory.path, "file"), "");
    const file = await at.daemon(["start"], { home: join(at.directory.path, "file") });
    assert.equal(file.code, 1);
    assert.doesNotMatch(missing.err + file.err, /\n\s+at /);
    if (process.getuid?.() !== 0) {
      const theirs = await at.daemon(["status"], { home: "/root/holon" });
      assert.equal(theirs.code, 1);
      assert.match(theirs.err, /can't be (?:looked into|used)/);
    }
    const crash = await at.report(["start"], {
      program: ["/bin/sh", "-c", "echo oops >&2; exit 7"],
    });
    assert.equal(crash.code, 1);
    assert.match(crash.message, /could not start: oops/);
  });
});
