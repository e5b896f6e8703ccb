/** App folders that are deleted, replaced or made anew while they are served. */

import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { callJson } from "../support/json_client.ts";
import { type ListeningHolon, listeningHolon } from "../support/listening_holon.ts";
import { queueClient } from "../support/queue_client.ts";
import { get, nextEvent, rawConnect, type RawConnection, rawRequest } from "../support/raw_http.ts";

/** More than the kernel takes for a reader that waits. */
const LARGE = new Uint8Array(24 * 1024 * 1024).fill(0x41);

describe("app folders that move while they are served", () => {
  let holon: ListeningHolon;
  let apps: string;
  before(async () => {
    holon = await listeningHolon();
    apps = join(holon.home, "agents", "main", "apps");
  });
  after(async () => {
    await holon.close();
    assert.deepEqual(holon.errors, []);
  });
  beforeEach(() => {
    rmSync(apps, { recursive: true, force: true });
    holon.write({ "a/index.html": "OLD", "a/large.bin": LARGE, "b/index.html": "B" });
  });

  const queue = queueClient(() => holon.url);
  const read = (path: string) => rawRequest({ port: holon.port }, get(path));
  const outcome = async (path: string) => {
    const response = await read(path);
    return response.status === 200 ? response.text() : `${response.status} ${response.json().code}`;
  };
  const listed = async () =>
    (await callJson(holon.url, "/apps/main")).body.apps.map(({ id }: { id: string }) => id);

  /** Starts a download and leaves it there. */
  async function download(): Promise<RawConnection> {
    const connection = await rawConnect({ port: holon.port });
    connection.write(get("/apps/main/a/large.bin"));
    assert.equal((await connection.head()).status, 200);
    connection.pause();
    return connection;
  }

  async function assertWhole(connection: RawConnection): Promise<void> {
    connection.resume();
    const body = await connection.take(LARGE.length, 30_000);
    assert.equal(body.length, LARGE.length);
    assert.ok(body.every((byte) => byte === 0x41), "bytes of the old file alone");
    connection.close();
  }

  it("a deleted app is gone, but a download of it goes on", async () => {
    const connection = await download();
    const stream = await rawConnect({ port: holon.port });
    stream.write(get("/apps/main/a/events"));
    assert.equal((await stream.head()).status, 200);
    rmSync(join(apps, "a"), { recursive: true });
    for (const path of ["", "large.bin", "holon.js", "context", "events"]) {
      assert.equal(await outcome(`/apps/main/a/${path}`), "404 not_found", path);
    }
    const refused = await queue.request("a");
    assert.deepEqual([refused.status, refused.body.code], [404, "not_found"]);
    assert.deepEqual(await listed(), ["b"]);
    await assertWhole(connection);

    holon.write({ "a/index.html": "NEW" });
    assert.equal(await outcome("/apps/main/a/"), "NEW");
    const { body } = await queue.request("a");
    const event = JSON.parse((await nextEvent(stream)).data).event;
    assert.equal(event.message_id, body.message_id, "the stream is one of the app's id");
    stream.close();
  });

  it("a replaced app is the new one at once, and the old one's downloads stay whole", async () => {
    const connection = await download();
    const old = await read("/apps/main/a/");
    holon.write({ "a.new/index.html": "NEW", "a.new/large.bin": "small" });
    renameSync(join(apps, "a"), join(apps, "a.old"));
    renameSync(join(apps, "a.new"), join(apps, "a"));
    const known = `If-None-Match: ${old.header("etag")}`;
    const fresh = await rawRequest({ port: holon.port }, get("/apps/main/a/", known));
    assert.deepEqual([fresh.status, fresh.text()], [200, "NEW"]);
    assert.equal(await outcome("/apps/main/a/large.bin"), "small");
    rmSync(join(apps, "a.old"), { recursive: true });
    await assertWhole(connection);
  });

  it("something else in an app's place is no app", async () => {
    const outside = join(holon.home, "outside");
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, "index.html"), "CANARY");
    const app = join(apps, "a");
    const inPlaceOfIt: readonly (readonly [make: () => void, expected: string])[] = [
      [() => symlinkSync(outside, app), "403 forbidden"],
      [() => symlinkSync("nowhere", app), "404 not_found"],
      [() => symlinkSync("a", app), "404 not_found"],
      [() => writeFileSync(app, "a file"), "404 not_found"],
      [() => mkdirSync(app), "404 not_found"],
      [() => symlinkSync("b", app), "B"],
    ];
    for (const [make, expected] of inPlaceOfIt) {
      rmSync(app, { recursive: true, force: true });
      make();
      assert.equal(await outcome("/apps/main/a/"), expected);
      assert.equal((await listed()).includes("b"), true);
    }
  });

  it("the folder of all apps, or of the agent, may go and come back", async () => {
    rmSync(apps, { recursive: true });
    assert.deepEqual(await listed(), []);
    assert.equal(await outcome("/apps/main/a/"), "404 not_found");
    assert.equal((await callJson(holon.url, "/api/agents/main/apps")).status, 200);
    const agent = join(holon.home, "agents", "main");
    rmSync(agent, { recursive: true });
    for (const path of ["/apps/main", "/apps/main/a/", "/api/agents/main/state"]) {
      assert.equal(await outcome(path), "404 not_found", path);
    }
    assert.deepEqual((await callJson(holon.url, "/api/agents")).body.agents, []);
    holon.write({ "a/index.html": "AGAIN" });
    assert.equal(await outcome("/apps/main/a/"), "AGAIN");
    assert.deepEqual(await listed(), ["a"]);
  });

  it("replacing it over and over never mixes two versions", async () => {
    const text = (version: number) => `${version}:`.padEnd(1000 + version, "x");
    holon.write({ "a/index.html": text(0) });
    let swapping = true;
    const reading = (async () => {
      let found = 0;
      while (swapping) {
        const response = await read("/apps/main/a/");
        // Between two renames there is no app.
        if (response.status === 404) continue;
        assert.equal(response.status, 200);
        const version = Number.parseInt(response.text());
        assert.equal(response.text(), text(version));
        found++;
      }
      return found;
    })();
    for (let version = 1; version <= 100; version++) {
      holon.write({ [`next-${version}/index.html`]: text(version) });
      renameSync(join(apps, "a"), join(apps, `old-${version}`));
      renameSync(join(apps, `next-${version}`), join(apps, "a"));
      // The reader is in this process as well, and gets its turn.
      assert.equal(await outcome("/apps/main/a/"), text(version));
    }
    swapping = false;
    assert.ok(await reading > 10);
  });
});
