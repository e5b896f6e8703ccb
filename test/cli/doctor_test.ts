import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { peopleIn } from "../../src/cli/other_users.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { fakeDaemon } from "./fake_daemon.ts";
import { run } from "./memory_io.ts";

let directory: TempDirectory;
let home: string;
beforeEach(() => {
  directory = tempDirectory();
  home = join(directory.path, "home");
});
afterEach(() => directory.remove());

interface Report {
  readonly ok: boolean;
  readonly findings: readonly { check: string; level: string; message: string; hint?: string }[];
}

async function doctor(env: Record<string, string> = {}): Promise<Report & { code: number }> {
  // Port 0 is always free.
  const options = { home, env: { HOLON_HTTP_ADDR: "127.0.0.1:0", ...env } };
  const { code, out, err } = await run(["doctor", "--json"], options);
  assert.equal(err, "");
  return { ...JSON.parse(out), code };
}

describe("doctor", () => {
  it("is content with a home that does not exist yet", async () => {
    const { ok, code, findings } = await doctor({ HOLON_CONTROL_TOKEN: "secret" });
    assert.equal(ok, true);
    assert.equal(code, 0);
    assert.deepEqual(findings.filter(({ level }) => level === "warning"), []);
    assert.ok(!JSON.stringify(findings).includes("secret"));
  });

  it("exits 1 for an unsound configuration, and names the key", async () => {
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, "config.json"), '{"local_apps":{"max_asset_bytes":0}}', {
      mode: 0o600,
    });
    const { code, findings } = await doctor();
    assert.equal(code, 1);
    const error = findings.find(({ level }) => level === "error");
    assert.equal(error?.check, "config");
    assert.match(error?.message ?? "", /max_asset_bytes/);
  });

  it("names open permissions with the command that mends them, and unknown keys", async () => {
    mkdirSync(home);
    chmodSync(home, 0o755);
    writeFileSync(join(home, "config.json"), '{"later":1}');
    chmodSync(join(home, "config.json"), 0o644);
    const { code, findings } = await doctor();
    assert.equal(code, 0);
    const hints = findings.map(({ hint }) => hint ?? "").join("\n");
    assert.ok(hints.includes(`chmod 700 ${home}`), hints);
    assert.ok(hints.includes(`chmod 600 ${home}/config.json`), hints);
    assert.ok(findings.some(({ level, message }) => level === "note" && /later/.test(message)));
  });

  it("names broken apps and a database that is none", async () => {
    mkdirSync(join(home, "agents/main/apps/bad"), { recursive: true });
    chmodSync(home, 0o700);
    writeFileSync(join(home, "agents/main/apps/bad/manifest.json"), "{");
    writeFileSync(join(home, "holon.db"), "not a database at all", { mode: 0o600 });
    const { code, findings } = await doctor();
    assert.equal(code, 1);
    assert.ok(findings.some(({ message }) => /main\/bad/.test(message)));
    assert.ok(findings.some(({ check, level }) => check === "database" && level === "error"));
  });

  it("asks the running server", async () => {
    mkdirSync(home, { mode: 0o700 });
    const daemon = await fakeDaemon(
      home,
      ({ path }) =>
        path.endsWith("/readiness")
          ? Response.json({ ok: true, http_addr: "127.0.0.1:4321", pid: 77, token_required: true })
          : Response.json({ ok: true, agents: [], apps: [] }),
    );
    const { code, findings } = await doctor();
    await daemon.close();
    assert.equal(code, 0);
    assert.ok(findings.some(({ message }) => message.includes("127.0.0.1:4321 (pid 77)")));
    assert.ok(findings.some(({ check, level }) => check === "token" && level === "ok"));
    assert.ok(!findings.some(({ check }) => check === "port"));
  });

  it("prints for people too", async () => {
    const { code, out } = await run(["doctor"], { home, env: { HOLON_HTTP_ADDR: "127.0.0.1:0" } });
    assert.equal(code, 0);
    assert.match(out, /^ok +\w+ \d+\.\d+/m);
  });
});

describe("peopleIn()", () => {
  it("finds people who can log in, and not me or services", () => {
    const passwd = [
      "root:x:0:0::/root:/bin/bash",
      "daemon:x:1:1::/:/usr/sbin/nologin",
      "ann:x:1000:1000::/home/ann:/bin/zsh",
      "bob:x:1001:1001::/home/bob:/bin/bash",
      "svc:x:1002:1002::/srv:/bin/false",
      "nobody:x:65534:65534::/:/bin/sh",
      "# a comment: line",
      "",
    ].join("\n");
    assert.deepEqual(peopleIn(passwd, 1000), ["bob"]);
    assert.deepEqual(peopleIn(passwd, 0), ["ann", "bob"]);
  });
});
