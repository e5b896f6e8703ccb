import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { createFolderAlarm, type FolderAlarm } from "../../../src/apps/reload/folder_alarm.ts";
import { HostError, type WatchListener } from "../../../src/host/types.ts";
import { type FakeSchedule, fakeSchedule } from "../../support/fake_schedule.ts";

describe("createFolderAlarm()", () => {
  let time: FakeSchedule;
  let alarm: FolderAlarm;
  let watches: Map<string, WatchListener>;
  let changes: number[];
  let refusal: HostError | null;

  beforeEach(() => {
    time = fakeSchedule();
    watches = new Map();
    changes = [];
    refusal = null;
    alarm = createFolderAlarm({
      files: {
        watch(path, listener) {
          if (refusal !== null) throw refusal;
          assert.ok(!watches.has(path), `${path} is watched twice`);
          watches.set(path, listener);
          return () => void watches.delete(path);
        },
      },
      clock: time.clock,
      schedule: time.schedule,
      onChange: () => changes.push(time.clock.monotonic()),
    });
  });

  const folders = (...pairs: string[]) =>
    new Map(pairs.map((pair) => pair.split("=") as [string, string]));
  const ring = (path: string, times: number) => {
    for (let index = 0; index < times; index++) watches.get(path)?.onChange();
  };

  it("watches the folders that there are, and looks again after it has begun", async () => {
    alarm.arm("/r", folders("=1", "sub=2"));
    assert.deepEqual([...watches.keys()], ["/r", "/r/sub"]);
    await time.runUntil(5_000);
    assert.deepEqual(changes, [250, 1_000]);
    alarm.arm("/r", folders("=1", "sub=2"));
    await time.runUntil(10_000);
    assert.deepEqual(changes, [250, 1_000]);
    ring("/r/sub", 2);
    assert.deepEqual(changes.slice(2), [10_000, 10_000]);
  });

  it("follows folders that come, go and are replaced", () => {
    alarm.arm("/r", folders("=1", "a=2", "b=3"));
    const [root, a] = [watches.get("/r"), watches.get("/r/a")];
    alarm.arm("/r", folders("=1", "a=9", "c=4"));
    assert.deepEqual([...watches.keys()].sort(), ["/r", "/r/c"]);
    assert.equal(changes.length, 1, "it asks for a look, to watch the folder that took a's place");
    alarm.arm("/r", folders("=1", "a=9", "c=4"));
    assert.deepEqual([...watches.keys()].sort(), ["/r", "/r/a", "/r/c"]);
    assert.equal(watches.get("/r"), root);
    assert.notEqual(watches.get("/r/a"), a);
    alarm.arm("/other", folders("=1"));
    alarm.arm("/other", folders("=1"));
    assert.deepEqual([...watches.keys()], ["/other"]);
    alarm.disarm();
    assert.equal(watches.size, 0);
  });

  it("stops listening to a flood for a while, longer each time", async () => {
    alarm.arm("/r", folders("=1"));
    const pauses: number[] = [];
    for (let round = 0; round < 5; round++) {
      const begun = time.clock.monotonic();
      changes.length = 0;
      ring("/r", 5_000);
      assert.equal(watches.size, 0);
      assert.ok(changes.length <= 100);
      changes.length = 0;
      while (watches.size === 0) {
        await time.runUntil(time.clock.monotonic() + 100);
        alarm.arm("/r", folders("=1"));
      }
      pauses.push(time.clock.monotonic() - begun);
      assert.equal(changes.length, 1, "it asks for a look when it listens again");
    }
    assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000, 4_000]);
    alarm.arm("/r", folders("=1"));
    ring("/r", 101);
    await time.runUntil(time.clock.monotonic() + 500);
    alarm.arm("/r", folders("=1"));
    assert.equal(watches.size, 1, "a calm between two floods makes it patient again");
  });

  it("is down while the system lends no watches, and tries again later", async () => {
    refusal = new HostError("no_space", "no watches");
    alarm.arm("/r", folders("=1"));
    assert.equal(alarm.isDown, true);
    refusal = null;
    alarm.arm("/r", folders("=1"));
    assert.equal(watches.size, 0);
    await time.runUntil(30_000);
    alarm.arm("/r", folders("=1"));
    assert.equal(alarm.isDown, false);
    assert.equal(watches.size, 1);
  });

  it("is down when it is told so later", () => {
    alarm.arm("/r", folders("=1", "sub=2"));
    watches.get("/r/sub")!.onLost(new HostError("too_many_open_files", "no watches"));
    assert.equal(alarm.isDown, true);
    assert.deepEqual([...watches.keys()].filter((path) => path === "/r"), []);
  });

  it("asks for a look when a folder is gone", () => {
    alarm.arm("/r", folders("=1", "sub=2"));
    watches.get("/r/sub")!.onLost(new HostError("not_found", "gone"));
    assert.equal(alarm.isDown, false);
    assert.equal(changes.length, 1);
    refusal = new HostError("not_found", "gone");
    alarm.arm("/r", folders("=1", "sub=3"));
    assert.equal(alarm.isDown, false);
  });

  it("is silent once it is closed", async () => {
    alarm.arm("/r", folders("=1"));
    alarm.close();
    await time.runUntil(60_000);
    assert.deepEqual([watches.size, changes.length], [0, 0]);
  });
});
