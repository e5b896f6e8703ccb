import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { tokenProblem } from "../../src/config/access_rule.ts";
import { type ConfigService, createConfigService } from "../../src/config/service.ts";
import { HostError } from "../../src/host/types.ts";
import { plainFiles } from "../support/fake_host.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";

let home: TempDirectory;
let path: string;
beforeEach(() => {
  home = tempDirectory();
  path = join(home.path, "config.json");
});
afterEach(() => home.remove());

function start(): Promise<ConfigService> {
  return createConfigService({ files: plainFiles(), home: home.path });
}

function limitOf(service: ConfigService): number {
  return service.current().settings.local_apps.max_asset_bytes;
}

const setLimit = (value: unknown) => ({ key: "local_apps.max_asset_bytes", value });

describe("patch()", () => {
  it("saves, reloads and counts a generation", async () => {
    const service = await start();
    assert.deepEqual(service.reloadState(), {
      requested_generation: 0,
      completed_generation: 0,
      state: "idle",
    });
    const outcome = await service.patch([setLimit(100)]);
    assert.equal(outcome.changed, true);
    assert.equal(outcome.results[0]?.effect, "accepted_reload_scheduled");
    await service.settled();
    assert.equal(limitOf(service), 100);
    assert.deepEqual(service.reloadState(), {
      requested_generation: 1,
      completed_generation: 1,
      state: "completed",
    });
    assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), {
      local_apps: { max_asset_bytes: 100 },
    });
  });

  it("leaves a snapshot that a request holds as it was", async () => {
    const service = await start();
    const held = service.current();
    await service.patch([setLimit(100)]);
    await service.settled();
    assert.equal(held.settings.local_apps.max_asset_bytes, 67_108_864);
    assert.notEqual(service.current(), held);
  });

  it("is all or nothing", async () => {
    writeFileSync(path, '{"later":1}');
    const service = await start();
    const outcome = await service.patch([
      setLimit(100),
      { key: "local_apps.csp", value: "a\nb" },
      { key: "no.such", value: 1 },
    ]);
    assert.equal(outcome.changed, false);
    assert.deepEqual(outcome.results.map(({ effect }) => effect), Array(3).fill("rejected"));
    assert.match(outcome.results[0]!.reason, /another change was refused/);
    assert.match(outcome.results[1]!.reason, /^local_apps\.csp/);
    assert.match(outcome.results[2]!.reason, /no setting "no\.such"/);
    assert.equal(readFileSync(path, "utf8"), '{"later":1}');
    assert.equal(service.reloadState().state, "idle");
  });

  it("refuses an update without a value, with two meanings, and a key named twice", async () => {
    const service = await start();
    const reasonOf = async (...updates: Parameters<ConfigService["patch"]>[0]) => {
      const { results } = await service.patch(updates);
      assert.equal(results.at(-1)?.effect, "rejected");
      return results.at(-1)!.reason;
    };
    assert.match(await reasonOf({ key: "local_apps.csp" }), /given no value/);
    assert.match(
      await reasonOf({ key: "local_apps.csp", value: "x", unset: true }),
      /a value and unset at once/,
    );
    assert.match(
      await reasonOf(
        { key: "server.trusted_origins", value: [] },
        { key: "api.csrf.trusted_origins", value: [] },
      ),
      /named twice/,
    );
  });

  it("keeps keys that need a restart as they were, and says so", async () => {
    const service = await start();
    const { results } = await service.patch([{ key: "server.blocking_files", value: false }]);
    assert.equal(results[0]?.effect, "accepted_requires_restart");
    await service.settled();
    assert.equal(service.current().settings.server.blocking_files, true);
    assert.equal((await service.stored()).settings.server.blocking_files, false);
    assert.equal((await start()).current().settings.server.blocking_files, false);
  });

  it("unsets, and keeps what it does not know", async () => {
    writeFileSync(path, '{"later":{"x":1},"local_apps":{"max_asset_bytes":5}}');
    const service = await start();
    assert.equal(limitOf(service), 5);
    await service.patch([{ key: "local_apps.max_asset_bytes", unset: true }]);
    await service.settled();
    assert.equal(limitOf(service), 67_108_864);
    assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), { later: { x: 1 } });
  });

  it("loses no update when many come at once", async () => {
    const service = await start();
    await Promise.all([
      service.patch([setLimit(7)]),
      service.patch([{ key: "local_apps.csp", value: "sandbox" }]),
      service.patch([{ key: "agents.default", value: "lab" }]),
    ]);
    await service.settled();
    const { settings } = service.current();
    assert.equal(settings.local_apps.max_asset_bytes, 7);
    assert.equal(settings.local_apps.csp, "sandbox");
    assert.equal(settings.agents.default, "lab");
    const { requested_generation, completed_generation } = service.reloadState();
    assert.equal(requested_generation, 3);
    assert.equal(completed_generation, 3);
  });

  it("rejects, without a throw, when the file can't be written or is unsound", async () => {
    const files = {
      ...plainFiles(),
      replace: () => Promise.reject(new HostError("no_space", "/host/path")),
    };
    const service = await createConfigService({ files, home: home.path });
    const full = await service.patch([setLimit(1)]);
    assert.match(full.results[0]!.reason, /disk is full/);
    writeFileSync(path, "{");
    const unsound = await service.patch([setLimit(1)]);
    assert.match(unsound.results[0]!.reason, /not valid JSON/);
    assert.equal(readFileSync(path, "utf8"), "{");
  });

  it("mends a file whose only fault is the key that it sets", async () => {
    const service = await start();
    writeFileSync(path, '{"local_apps":{"max_asset_bytes":-1}}');
    const other = await service.patch([{ key: "agents.default", value: "lab" }]);
    assert.match(other.results[0]!.reason, /max_asset_bytes/);
    const mended = await service.patch([setLimit(9)]);
    assert.equal(mended.changed, true);
    await service.settled();
    assert.equal(limitOf(service), 9);
  });
});

describe("reload", () => {
  it("does not watch hand edits, but picks them up with the next change", async () => {
    const service = await start();
    writeFileSync(path, '{"local_apps":{"max_asset_bytes":5}}');
    assert.equal(limitOf(service), 67_108_864);
    const outcome = await service.patch([setLimit(5)]);
    assert.equal(outcome.changed, false);
    await service.settled();
    assert.equal(limitOf(service), 5);
  });

  it("keeps the old configuration when a part of the server refuses the new one", async () => {
    const service = await start();
    const seen: number[] = [];
    service.subscribe((snapshot) => void seen.push(snapshot.settings.local_apps.max_asset_bytes));
    const stop = service.subscribe(() => {
      throw new Error("no");
    });
    await service.patch([setLimit(3)]);
    await service.settled();
    assert.equal(limitOf(service), 67_108_864);
    assert.equal(service.reloadState().state, "failed");
    assert.match(service.reloadState().last_error ?? "", /refused/);
    assert.deepEqual(seen, [3, 67_108_864]);
    stop();
    await service.patch([setLimit(3)]);
    await service.settled();
    assert.equal(limitOf(service), 3);
    assert.equal(service.reloadState().last_error, undefined);
  });

  it("coalesces what is asked for while one runs", async () => {
    const service = await start();
    let runs = 0;
    let open = () => {};
    const gate = new Promise<void>((resolve) => open = resolve);
    service.subscribe(async () => {
      runs += 1;
      if (runs === 1) await gate;
    });
    await service.patch([setLimit(1)]);
    assert.equal(service.reloadState().state, "applying");
    await service.patch([setLimit(2)]);
    await service.patch([setLimit(3)]);
    open();
    await service.settled();
    assert.equal(runs, 2);
    assert.equal(limitOf(service), 3);
    assert.equal(service.reloadState().completed_generation, 3);
  });
});

describe("createConfigService()", () => {
  it("refuses an unsound file with a sentence that names the key", async () => {
    writeFileSync(path, '{"local_apps":{"max_asset_bytes":"big"}}');
    await assert.rejects(start(), /^Fault: config\.json: local_apps\.max_asset_bytes has to be/);
  });

  it("asks for a token where the settings need one, at the start and on a change", async () => {
    const accept = (snapshot: Parameters<typeof tokenProblem>[0]) => tokenProblem(snapshot, false);
    const options = { files: plainFiles(), home: home.path, accept };
    const service = await createConfigService(options);
    const hosts = (value: unknown) => [{ key: "server.allowed_hosts", value }];
    const refused = await service.patch(hosts(["lab.example"]));
    assert.match(refused.results[0]!.reason, /lab\.example.*needs a token/);
    assert.equal((await service.patch(hosts(["localhost", "::1"]))).changed, true);
    writeFileSync(path, '{"server":{"trusted_proxies":["10.0.0.1"]}}');
    await assert.rejects(createConfigService(options), /trusted_proxies needs a token/);
    assert.equal(tokenProblem(await service.stored(), true), null);
  });
});
