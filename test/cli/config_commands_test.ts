import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { acquireHomeLock } from "../../src/store/home_lock.ts";
import { plainFiles } from "../support/fake_host.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { type FakeDaemon, fakeDaemon } from "./fake_daemon.ts";
import { run } from "./memory_io.ts";

let directory: TempDirectory;
let home: string;
let config: string;
let daemon: FakeDaemon | undefined;
beforeEach(() => {
  directory = tempDirectory();
  home = join(directory.path, "home");
  config = join(home, "config.json");
});
afterEach(async () => {
  await daemon?.close();
  daemon = undefined;
  directory.remove();
});

const LIMIT = "local_apps.max_asset_bytes";

describe("config without a server", () => {
  it("set writes the file, says so, and get reads it back", async () => {
    const set = await run(["config", "set", LIMIT, "134217728"], { home });
    assert.equal(set.code, 0);
    assert.equal(set.out, "134217728\n");
    assert.match(set.err, /^applied_via=offline_store$/m);
    assert.match(set.err, /no server runs/);
    assert.equal(statSync(config).mode & 0o777, 0o600);
    const get = await run(["config", "get", LIMIT], { home });
    assert.deepEqual(get, { code: 0, out: "134217728\n", err: "" });
  });

  it("says to a person in words what it did", async () => {
    const person = { home, terminal: true };
    const set = await run(["config", "set", "local_apps.csp", "sandbox"], person);
    assert.equal(set.out, 'local_apps.csp is now "sandbox"\n');
    assert.match(set.err, /^holon: no server runs, so the change was written to config\.json/);
    const unset = await run(["config", "unset", "local_apps.csp"], person);
    assert.equal(unset.out, "local_apps.csp is back to its default, null\n");
    const json = await run(["config", "set", LIMIT, "5", "--json"], person);
    assert.equal(json.out, "5\n");
    const quiet = await run(["config", "set", LIMIT, "6", "--quiet"], person);
    assert.deepEqual(quiet, { code: 0, out: "", err: "" });
    assert.equal((await run(["config", "get", LIMIT], person)).out, "6\n");
  });

  it("set warns of a default agent that doesn't exist, and sets it", async () => {
    const unknown = await run(["config", "set", "agents.default", "zzz"], { home });
    assert.equal(unknown.code, 0);
    assert.match(unknown.err, /there is no agent zzz yet/);
    assert.equal((await run(["config", "get", "agents.default"], { home })).out, '"zzz"\n');
    await run(["agents", "create", "zzz"], { home });
    const known = await run(["config", "set", "agents.default", "zzz"], { home });
    assert.doesNotMatch(known.err, /no agent/);
  });

  it("unset goes back to the default and prints what it did", async () => {
    await run(["config", "set", "local_apps.csp", "sandbox"], { home });
    const unset = await run(["config", "unset", "local_apps.csp"], { home });
    assert.deepEqual(JSON.parse(unset.out), { key: "local_apps.csp", status: "unset" });
    assert.match(unset.err, /^holon: local_apps\.csp is back to its default, null$/m);
    assert.match(unset.err, /^applied_via=offline_store$/m);
    const quiet = await run(["config", "unset", LIMIT, "--json", "--quiet"], { home });
    assert.deepEqual(JSON.parse(quiet.out), { key: LIMIT, status: "unset" });
    assert.equal(quiet.err, "");
    assert.equal((await run(["config", "get", "local_apps.csp"], { home })).out, "null\n");
    assert.deepEqual(JSON.parse(readFileSync(config, "utf8")), {});
  });

  it("refuses bad values and unknown keys, and writes nothing", async () => {
    for (
      const args of [[LIMIT, "0"], [LIMIT, "-1"], [LIMIT, "abc"], ["local_apps.csp", "a\r\nb: c"], [
        "no.such",
        "1",
      ]]
    ) {
      const { code, out, err } = await run(["config", "set", "--", ...args], { home });
      assert.equal(code, 1, args.join(" "));
      assert.equal(out, "");
      assert.match(err, /^holon: /);
      assert.doesNotMatch(err, /\n\s+at /);
    }
    assert.equal(existsSync(config), false);
  });

  it("keeps a byte order mark from being an error (BR-47)", async () => {
    mkdirSync(home);
    writeFileSync(config, "\ufeff" + JSON.stringify({ local_apps: { max_asset_bytes: 1234 } }));
    assert.equal((await run(["config", "get", LIMIT], { home })).out, "1234\n");
  });

  it("names an unsound file in one sentence and leaves it alone", async () => {
    mkdirSync(home);
    writeFileSync(config, '{"local_apps": }');
    for (const args of [["get", LIMIT], ["set", LIMIT, "5"], ["list"]]) {
      const { code, err } = await run(["config", ...args], { home });
      assert.equal(code, 1);
      assert.match(err, /^holon: config\.json is not valid JSON/);
    }
    assert.equal(readFileSync(config, "utf8"), '{"local_apps": }');
  });

  it("set mends the one key that is wrong", async () => {
    mkdirSync(home);
    writeFileSync(config, '{"local_apps":{"max_asset_bytes":-1},"later":1}');
    assert.equal((await run(["config", "get", LIMIT], { home })).code, 1);
    assert.equal((await run(["config", "set", LIMIT, "9"], { home })).code, 0);
    assert.deepEqual(JSON.parse(readFileSync(config, "utf8")), {
      local_apps: { max_asset_bytes: 9 },
      later: 1,
    });
  });

  it("is not written while a server holds the home but does not answer", async () => {
    mkdirSync(home);
    const lock = await acquireHomeLock(home, plainFiles());
    const { code, err } = await run(["config", "set", LIMIT, "5"], { home });
    await lock.release();
    assert.equal(code, 1);
    assert.match(err, /holds this home.*\n.*Nothing was changed/);
    assert.equal(existsSync(config), false);
    assert.equal((await run(["config", "set", LIMIT, "5"], { home })).code, 0);
  });

  it("list and schema name every key", async () => {
    const list = await run(["config", "list"], { home });
    const json = JSON.parse((await run(["config", "list", "--json"], { home })).out);
    const schema = JSON.parse((await run(["config", "schema"], { home })).out);
    for (const { key, value, default: fallback, source, description } of json) {
      const [group, member] = key.split(".");
      assert.ok(list.out.includes(key));
      assert.deepEqual(value, fallback);
      assert.equal(source, "default");
      assert.equal(schema.properties[group].properties[member].description, description);
    }
  });
});

/** An answer of the control API as far as the CLI reads it. */
function configAnswer(extra: object = {}): Response {
  return Response.json({
    ok: true,
    runtime_surface: {
      keys: [{ key: LIMIT, value: 100, stored: 200, source: "file", stored_source: "file" }],
    },
    reload: { requested_generation: 1, completed_generation: 1, state: "completed" },
    ...extra,
  });
}

describe("config with a server", () => {
  it("set sends one update and says where it went", async () => {
    mkdirSync(home);
    daemon = await fakeDaemon(
      home,
      ({ method }) =>
        method === "GET" ? configAnswer() : configAnswer({
          changed: true,
          results: [{ key: LIMIT, effect: "accepted_reload_scheduled", reason: "x" }],
        }),
    );
    const { code, out, err } = await run(["config", "set", LIMIT, "200"], { home });
    assert.equal(code, 0, err);
    assert.equal(out, "200\n");
    assert.equal(err, "applied_via=daemon_api\n");
    const patch = daemon.seen.find(({ method }) => method === "PATCH");
    assert.equal(patch?.path, "/api/control/runtime/config");
    assert.deepEqual(JSON.parse(patch?.body ?? ""), { updates: [{ key: LIMIT, value: 200 }] });
    assert.equal(existsSync(config), false);
  });

  it("a rejected update exits 1 with the server's reason and writes nothing", async () => {
    mkdirSync(home);
    daemon = await fakeDaemon(
      home,
      ({ method }) =>
        method === "GET" ? configAnswer() : configAnswer({
          changed: false,
          results: [{ key: LIMIT, effect: "rejected", reason: "Not on a Tuesday" }],
        }),
    );
    const { code, out, err } = await run(["config", "set", LIMIT, "200"], { home });
    assert.equal(code, 1);
    assert.equal(out, "");
    assert.match(err, /^holon: Not on a Tuesday\n/);
    assert.doesNotMatch(err, /applied_via/);
    assert.equal(existsSync(config), false);
  });

  it("a server that can't be asked is an error without an offline write", async () => {
    const answers: readonly (() => Response)[] = [
      () => Response.json({ ok: false, error: "It broke", code: "runtime_error" }, { status: 500 }),
      () => new Response("<html>", { status: 200 }),
      () =>
        Response.json({ ok: false, error: "Who are you", code: "auth_required" }, { status: 401 }),
    ];
    mkdirSync(home);
    for (const answer of answers) {
      const broken = await fakeDaemon(home, answer);
      const { code, err } = await run(["config", "set", LIMIT, "5"], { home });
      await broken.close();
      assert.equal(code, 1);
      assert.match(err, /^holon: /);
      assert.equal(existsSync(config), false);
    }
  });

  it("a reload that failed is told, since the change is saved but not used", async () => {
    mkdirSync(home);
    daemon = await fakeDaemon(
      home,
      ({ method }) =>
        method === "GET" ? configAnswer() : configAnswer({
          results: [{ key: LIMIT, effect: "accepted_reload_scheduled", reason: "x" }],
          reload: {
            requested_generation: 2,
            completed_generation: 2,
            state: "failed",
            last_error: "No room",
          },
        }),
    );
    const { code, err } = await run(["config", "set", LIMIT, "5"], { home });
    assert.equal(code, 1);
    assert.match(err, /saved, but the server could not use it: No room/);
  });

  it("get prints what the file says and notes what still runs", async () => {
    mkdirSync(home);
    daemon = await fakeDaemon(home, () => configAnswer());
    const { out, err } = await run(["config", "get", LIMIT], { home });
    assert.equal(out, "200\n");
    assert.match(err, /still uses 100/);
  });
});
