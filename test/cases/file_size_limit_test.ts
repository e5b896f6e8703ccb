/** A full disk, made by a limit on the size of files: refusals that say so, and nothing lost. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { callJson } from "../support/json_client.ts";
import { queueClient } from "../support/queue_client.ts";
import { runtimeName } from "../support/runtime.ts";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { skipWithout } from "../support/tools.ts";

/** So that a handful of requests fills it. */
const PAYLOAD = "x".repeat(100_000);

describe("a server whose files may not grow", {
  skip: skipWithout("prlimit", "util-linux"),
}, () => {
  let directory: TempDirectory;
  let home: string;
  let holon: ServedHolon | undefined;
  beforeEach(async () => {
    directory = tempDirectory();
    home = join(directory.path, "home");
    const app = join(home, "agents", "main", "apps", "full");
    mkdirSync(app, { recursive: true, mode: 0o700 });
    writeFileSync(join(app, "index.html"), "F");
    await start();
  });
  afterEach(async () => {
    await holon?.script.stop();
    directory.remove();
  });

  async function start(): Promise<void> {
    holon = await startHolon({ home, program: PROGRAMS[runtimeName] });
  }
  const queue = queueClient(() => holon!.url);
  const post = () => queue.request("full", { payload: PAYLOAD });

  /** Limits the size of the server's files from now on; the hard limit stays. */
  function limit(bytes: number | "unlimited"): void {
    execFileSync("prlimit", ["--pid", String(holon!.script.pid), `--fsize=${bytes}:`]);
  }

  const stored = async () => (await queue.messages()).map(({ id }) => id).sort();

  it("refuses requests, goes on serving, and takes them again later", async () => {
    const accepted: string[] = [];
    const first = await post();
    assert.equal(first.status, 200);
    accepted.push(first.body.message_id);
    limit(statSync(join(home, "holon.db-wal")).size + 1_000_000);
    let refused = await post();
    for (; refused.status === 200 && accepted.length < 100; refused = await post()) {
      accepted.push(refused.body.message_id);
    }
    assert.ok([503, 507].includes(refused.status), JSON.stringify(refused));
    assert.match(refused.body.code, /^storage_(full|unavailable)$/);
    assert.ok(accepted.length > 1, "some fitted");
    for (let again = 0; again < 3; again++) assert.equal((await post()).status, refused.status);
    assert.deepEqual(await stored(), accepted.toSorted());
    assert.equal((await callJson(holon!.url, "/apps/main")).status, 200);

    limit("unlimited");
    const late = await post();
    assert.equal(late.status, 200, JSON.stringify(late));
    accepted.push(late.body.message_id);
    assert.equal(await holon!.stop(), 0);
    await start();
    assert.deepEqual(await stored(), accepted.toSorted());
  });

  it("keeps all that was accepted when it is stopped, or killed, meanwhile", async () => {
    const { body: { message_id } } = await post();
    limit(statSync(join(home, "holon.db-wal")).size);
    assert.notEqual((await post()).status, 200);
    await holon!.stop();
    await start();
    assert.deepEqual(await stored(), [message_id]);
    limit(0);
    assert.notEqual((await post()).status, 200);
    await holon!.script.stop("SIGKILL");
    await start();
    assert.deepEqual(await stored(), [message_id]);
  });
});
