/** BR-38 of `cases/bug_reports.json`: "accepted" is a promise that power loss doesn't break. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, it } from "node:test";
import { promisify } from "node:util";
import { keptConnection } from "../support/kept_connection.ts";
import { queueClient } from "../support/queue_client.ts";
import { runtimeName } from "../support/runtime.ts";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { skipWithout } from "../support/tools.ts";
import { until } from "../support/until.ts";

const COPIES = 4;
/** What waits is bounded: 1,000 messages of an app. */
const APPS = ["one", "two", "three", "four", "five", "six"];

let directory: TempDirectory;
let holons: ServedHolon[];
beforeEach(() => {
  directory = tempDirectory();
  holons = [];
});
afterEach(async () => {
  for (const holon of holons) await holon.script.stop();
  directory.remove();
});

async function start(home: string, before: readonly string[] = []): Promise<ServedHolon> {
  const program = [...before, ...PROGRAMS[runtimeName]];
  const holon = await startHolon({ home, program });
  holons.push(holon);
  return holon;
}

function makeHome(): string {
  const home = join(directory.path, "home");
  for (const id of APPS) {
    const app = join(home, "agents", "main", "apps", id);
    mkdirSync(app, { recursive: true, mode: 0o700 });
    writeFileSync(join(app, "index.html"), "D");
  }
  return home;
}

describe("bug reports about durability", () => {
  it("BR-38: each answer comes after its message was synchronised", {
    skip: skipWithout("strace"),
  }, async () => {
    const trace = join(directory.path, "trace");
    const calls = "fsync,fdatasync,read,readv,recvfrom,recvmsg,write,writev,sendto,sendmsg";
    // Detached, so that the process which was started is the server, not its tracer.
    const strace = ["strace", "-D", "-f", "--seccomp-bpf", "-s", "2000", "-o", trace];
    const holon = await start(makeHome(), [...strace, "-e", `trace=${calls}`]);
    const { request } = queueClient(() => holon.url);
    const marks = Array.from({ length: 20 }, (_, n) => `mark-${String(n).padStart(2, "0")}`);
    const send = async (mark: string) =>
      assert.equal((await request("one", { request_id: mark })).status, 200);
    for (const mark of marks.slice(0, 10)) await send(mark);
    await Promise.all(marks.slice(10).map(send));
    await holon.script.stop();

    const lines = readFileSync(trace, "utf8").split("\n");
    const isSync = (line: string) => /\bf(?:data)?sync\b.*= 0$/.test(line);
    for (const mark of marks) {
      const arrival = lines.findIndex((line) => line.includes(mark) && line.includes("POST "));
      const answer = lines.findIndex((line) =>
        line.includes(mark) && line.includes("HTTP/1.1 200")
      );
      assert.ok(arrival >= 0 && answer > arrival, `${mark}: lines ${arrival} and ${answer}`);
      assert.ok(lines.slice(arrival, answer).some(isSync), `${mark} was not synchronised`);
    }
  });

  it("BR-38: a copy of a busy home opens and holds what was acknowledged before", async () => {
    const home = makeHome();
    const holon = await start(home);
    const port = Number(new URL(holon.url).port);
    const acknowledged: string[] = [];
    let busy = true;
    const load = APPS.map(async (app) => {
      const client = keptConnection(port);
      while (busy) {
        const body = { version: "1", request_type: "load", payload: null };
        const { status, json } = await client.post(`/apps/main/${app}/request`, body);
        if (status !== 200) break;
        acknowledged.push(json().message_id);
      }
      client.close();
    });
    const copies: { path: string; ids: readonly string[] }[] = [];
    for (let count = 0; count < COPIES; count++) {
      const enough = acknowledged.length + 1 + Math.floor(Math.random() * 40);
      await until(() => acknowledged.length >= enough);
      const path = join(directory.path, `copy-${count}`);
      copies.push({ path, ids: [...acknowledged] });
      await promisify(execFile)("cp", ["-r", home, path]);
    }
    busy = false;
    await Promise.all(load);

    for (const [index, { path, ids }] of copies.entries()) {
      // A whole server on the last one, and right away, is what a person would start.
      const isLast = index === copies.length - 1;
      const stored = isLast ? await storedByServer(path) : storedInDatabase(path);
      assert.deepEqual(ids.filter((id) => !stored.has(id)), [], `copy ${index}`);
    }
  });
});

function storedInDatabase(home: string): ReadonlySet<string> {
  const database = new DatabaseSync(join(home, "holon.db"));
  try {
    const check = database.prepare("PRAGMA integrity_check").get() ?? {};
    assert.deepEqual(Object.values(check), ["ok"]);
    const rows = database.prepare("SELECT id FROM messages").all();
    return new Set(rows.map(({ id }) => String(id)));
  } finally {
    database.close();
  }
}

async function storedByServer(home: string): Promise<ReadonlySet<string>> {
  const copy = await start(home);
  const messages = await queueClient(() => copy.url).messages();
  assert.equal(copy.script.stderr(), "");
  return new Set(messages.map(({ id }) => id));
}
