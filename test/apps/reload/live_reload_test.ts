import assert from "node:assert/strict";
import {
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import {
  createLiveReload,
  LIVE_RELOAD_LIMITS,
  type LiveReload,
} from "../../../src/apps/reload/live_reload.ts";
import type { AppState } from "../../../src/apps/reload/mailbox.ts";
import { createHost } from "../../../src/host/current.ts";
import { HostError, type HostFiles } from "../../../src/host/types.ts";
import { type TempDirectory, tempDirectory } from "../../support/temp_home.ts";
import { until } from "../../support/until.ts";

const host = createHost();
const LIMITS = { ...LIVE_RELOAD_LIMITS, lingerMs: 50 };

/** Long enough for anything that would be told to be told: quiet, rest and both later looks. */
const CALM_MS = 1_500;

describe("createLiveReload()", () => {
  let directory: TempDirectory;
  let live: LiveReload;
  let readers: AbortController[];
  const errors: unknown[] = [];

  beforeEach(() => {
    directory = tempDirectory();
    write("a/index.html", "A");
    write("a/style.css", "A");
    live = serve(host.files);
    readers = [];
  });
  afterEach(async () => {
    readers.forEach((reader) => reader.abort());
    await until(() => live.watched === 0);
    directory.remove();
    assert.deepEqual(errors, []);
  });

  function serve(files: HostFiles, limits = LIMITS): LiveReload {
    return createLiveReload({
      files,
      clock: host.clock,
      agentsFolder: join(realpathSync(directory.path), "agents"),
      onError: (error) => errors.push(error),
      limits,
    });
  }

  function path(relative: string): string {
    return join(directory.path, "agents/main/apps", relative);
  }

  function write(relative: string, content: string): void {
    mkdirSync(dirname(path(relative)), { recursive: true });
    writeFileSync(path(relative), content);
  }

  interface Reader {
    readonly states: AppState[];
    readonly ended: Promise<void>;
    leave(): void;
  }

  /** Follows apps of `main`; the second promise resolves once all are known. */
  async function follow(...apps: string[]): Promise<Reader> {
    const controller = new AbortController();
    readers.push(controller);
    const names = apps.map((appId) => ({ agentId: "main", appId }));
    const stream = live.follow(names, controller.signal);
    const states: AppState[] = [];
    const ended = (async () => {
      for await (const state of stream) states.push(state);
    })();
    await until(() => apps.every((app) => states.some((state) => state.app === `main/${app}`)));
    return { states, ended, leave: () => controller.abort() };
  }

  /** The kinds of what was told after the first look; waits until no more comes. */
  async function told(reader: Reader, atLeast = 1): Promise<readonly unknown[]> {
    await until(() => reader.states.length > atLeast);
    await delay(CALM_MS);
    return reader.states.slice(1).map(({ change }) => change?.what);
  }

  const RELOAD = { kind: "reload" };

  it("tells the version first, then each change with the version before it", async () => {
    const reader = await follow("a");
    const [first] = reader.states;
    assert.equal(first!.change, null);
    assert.ok(Math.abs(Date.now() - first!.changedAt) < 60_000);
    write("a/index.html", "B");
    assert.deepEqual(await told(reader), [RELOAD]);
    const second = reader.states[1]!;
    assert.equal(second.change!.from, first!.version);
    assert.notEqual(second.version, first!.version);
    const late = await follow("a");
    assert.deepEqual(late.states, [{ ...second, change: null }]);
  });

  const deeds: [what: string, act: () => void, change: unknown][] = [
    ["a stylesheet", () => write("a/style.css", "B"), { kind: "style", paths: ["style.css"] }],
    ["a removed file", () => unlinkSync(path("a/style.css")), RELOAD],
    ["a file in a folder that was just made", () => write("a/new/deep/x.js", "x"), RELOAD],
    ["a file that a rename puts in place", () => {
      write("x.tmp", "B");
      renameSync(path("x.tmp"), path("a/index.html"));
    }, RELOAD],
    ["a folder that another one replaces", () => {
      write("next/index.html", "B");
      renameSync(path("a"), path("old"));
      renameSync(path("next"), path("a"));
    }, RELOAD],
  ];
  for (const [what, act, change] of deeds) {
    it(`sees ${what}, and what is written there afterwards`, async () => {
      const reader = await follow("a");
      act();
      assert.deepEqual(await told(reader), [change]);
      write("a/later/x.js", "later");
      await until(() => reader.states.length > 2);
      write("a/later/x.js", "again");
      await until(() => reader.states.length > 3);
    });
  }

  it("tells once of a burst of writes", async () => {
    const reader = await follow("a");
    for (let index = 0; index < 20; index++) {
      write(`a/f${index}.js`, "x");
      write("a/index.html", `${index}`);
      await delay(20);
    }
    assert.deepEqual(await told(reader), [RELOAD]);
  });

  it("tells nothing of hidden files and of those that are gone again", async () => {
    const reader = await follow("a");
    write("a/.index.html.swp", "x");
    write("a/4913", "x");
    unlinkSync(path("a/4913"));
    write("a/.git/index.lock", "x");
    await delay(CALM_MS);
    assert.equal(reader.states.length, 1);
  });

  it("waits for a folder that is gone, and compares what is there then", async () => {
    const reader = await follow("a");
    rmSync(path("a"), { recursive: true });
    await delay(CALM_MS);
    assert.equal(reader.states.length, 1);
    write("a/index.html", "B");
    await until(() => reader.states.length === 2);
    assert.deepEqual(reader.states[1]!.change!.what, RELOAD);
  });

  it("sees where a link leads to another folder", async () => {
    write("v1/index.html", "1");
    write("v2/index.html", "2");
    symlinkSync("v1", path("b"));
    const reader = await follow("b");
    symlinkSync("v2", path("b.new"));
    renameSync(path("b.new"), path("b"));
    assert.deepEqual(await told(reader), [RELOAD]);
  });

  it("has one watch for all streams of an app, and none without a stream", async () => {
    write("b/index.html", "B");
    const [one, two] = [await follow("a"), await follow("a", "b")];
    assert.equal(live.watched, 2);
    two.leave();
    await two.ended;
    await until(() => live.watched === 1);
    write("a/index.html", "B");
    await until(() => one.states.length === 2);
    one.leave();
    await one.ended;
    await until(() => live.watched === 0);
  });

  it("looks now and then where the system lends no watches", async () => {
    live = serve({
      ...host.files,
      blocking: true,
      list: (folder, limit) => host.files.list(folder, limit),
      lstat: (file) => host.files.lstat(file),
      realpath: (file) => host.files.realpath(file),
      watch: () => {
        throw new HostError("no_space", "no watches");
      },
    });
    const reader = await follow("a");
    write("a/index.html", "B");
    assert.deepEqual(await told(reader), [RELOAD]);
  });

  it("refuses more than its bounds", async () => {
    live = serve(host.files, { ...LIMITS, apps: 1, followers: 2 });
    await follow("a");
    const signal = new AbortController().signal;
    const refused = (...ids: string[]) =>
      assert.throws(
        () => live.follow(ids.map((appId) => ({ agentId: "main", appId })), signal),
        { code: "too_many_streams" },
      );
    refused("b");
    await follow("a");
    refused("a");
    live = serve(host.files, { ...LIMITS, streams: 1 });
    await follow("a");
    refused("a");
  });

  it("ends its streams when it is told to, and begins anew", async () => {
    const reader = await follow("a");
    live.end();
    await reader.ended;
    assert.equal(live.watched, 0);
    await follow("a");
    assert.equal(live.watched, 1);
  });
});
