import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { VERSION } from "../../src/version.ts";
import { type RunningScript, scriptCommand, startScript } from "../support/runtime.ts";
import { type ServedHolon, startHolon } from "../support/served_holon.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { run } from "./memory_io.ts";

let directory: TempDirectory;
let home: string;
let running: (RunningScript | ServedHolon)[] = [];
beforeEach(() => {
  directory = tempDirectory();
  home = join(directory.path, "home");
});
afterEach(async () => {
  for (const one of running) await ("script" in one ? one.script : one).stop();
  running = [];
  directory.remove();
});

const program = scriptCommand("mod.ts");

async function serve(
  options: { home?: string; args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<ServedHolon> {
  const holon = await startHolon({ home, program, ...options });
  running.push(holon);
  return holon;
}

async function text(url: string): Promise<string> {
  const response = await fetch(url);
  assert.equal(response.status, 200, url);
  return await response.text();
}

function writeApp(root: string, id: string, files: Readonly<Record<string, string>>): void {
  const folder = join(root, "agents/main/apps", id);
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}

describe("serve", () => {
  it("makes a new home with the first app, and serves it", async () => {
    const holon = await serve();
    assert.equal(holon.script.stdout(), `holon listening on ${holon.url}\n`);
    assert.ok(holon.script.stderr().includes(`${holon.url}/apps/main/ping-card/`));
    assert.match(await text(`${holon.url}/apps/main/ping-card/`), /<!DOCTYPE html>/i);
    assert.equal(statSync(home).mode & 0o777, 0o700);
    assert.equal(statSync(join(home, "run")).mode & 0o777, 0o700);
    assert.equal(statSync(join(home, "run/holon.sock")).mode & 0o777, 0o600);
    const open = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile() && (statSync(join(entry.parentPath, entry.name)).mode & 0o077) !== 0
    );
    assert.deepEqual(open.map(({ name }) => name), []);
  });

  it("leaves a home that is there as it is", async () => {
    writeApp(home, "mine", { "index.html": "MINE" });
    const holon = await serve();
    assert.equal(await text(`${holon.url}/apps/main/mine/`), "MINE");
    assert.ok(!existsSync(join(home, "agents/main/apps/ping-card")));
  });

  it("is reached over its socket by the other commands", async () => {
    const holon = await serve();
    const list = await run(["apps", "list", "--json"], { home });
    assert.equal(list.code, 0, list.err);
    assert.equal(list.err, "");
    assert.equal(JSON.parse(list.out)[0].id, "ping-card");
    const agents = await run(["agents", "list"], { home });
    assert.match(agents.out, /^main /m);
    const doctor = await run(["doctor"], { home });
    assert.equal(doctor.code, 0, doctor.out);
    assert.ok(doctor.out.includes(new URL(holon.url).host), doctor.out);
    const sent = await fetch(`${holon.url}/apps/main/ping-card/request`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ version: "1", request_type: "ping", payload: { n: 1 } }),
    });
    assert.ok(sent.ok, String(sent.status));
    await sent.body?.cancel();
    const messages = await run(["messages", "list", "--json"], { home });
    assert.equal(messages.code, 0, messages.err);
    const [message] = JSON.parse(messages.out);
    const show = await run(["messages", "show", message.id], { home });
    assert.match(show.out, /ping/);
  });

  it("applies a setting to the next request, and refuses one without a token", async () => {
    const holon = await serve();
    const url = `${holon.url}/apps/main/ping-card/`;
    const set = await run(["config", "set", "local_apps.csp", "default-src 'self'"], { home });
    assert.equal(set.err, "applied_via=daemon_api\n");
    const response = await fetch(url);
    await response.body?.cancel();
    assert.equal(response.headers.get("content-security-policy"), "default-src 'self'");
    const limit = await run(["config", "set", "local_apps.max_asset_bytes", "10"], { home });
    assert.equal(limit.code, 0);
    const large = await fetch(url);
    await large.body?.cancel();
    assert.equal(large.status, 413);
    const refused = await run(["config", "set", "server.allowed_hosts", "lab.example"], { home });
    assert.equal(refused.code, 1);
    assert.match(refused.err, /needs a token/);
    const config = readFileSync(join(home, "config.json"), "utf8");
    assert.ok(!config.includes("lab.example"));
    writeFileSync(join(home, "config.json"), "{}");
    const unaware = await fetch(url);
    await unaware.body?.cancel();
    assert.equal(unaware.status, 413, "hand edits are not watched");
  });

  it("prints one line of JSON with --json", async () => {
    const env = { HOLON_CONTROL_TOKEN: undefined };
    const command = [...program, "serve", "--port", "0", "--home", home, "--json"];
    const script = startScript("mod.ts", { command, env });
    try {
      const [line] = await script.line(/^\{.*\}$/);
      const { url, ...rest } = JSON.parse(line);
      assert.equal(script.stdout(), `${line}\n`);
      const { host } = new URL(url);
      assert.deepEqual(rest, {
        home: realpathSync(home),
        pid: script.pid,
        version: VERSION,
        access: "local",
        listen: [host],
        advertise_url: null,
        callback_base_url: url,
      });
      await text(`${url}/apps/main/ping-card/`);
    } finally {
      await script.stop();
    }
  });

  it("asks for the token of a file", async () => {
    const file = join(directory.path, "token");
    writeFileSync(file, "s3cret\n", { mode: 0o600 });
    const { url, script } = await serve({ args: ["--port", "0", "--token-file", file] });
    const without = await fetch(`${url}/api/agents`);
    await without.body?.cancel();
    assert.equal(without.status, 401);
    const withToken = await fetch(`${url}/api/agents`, {
      headers: { authorization: "Bearer s3cret" },
    });
    await withToken.body?.cancel();
    assert.equal(withToken.status, 200);
    assert.equal((await run(["agents", "list"], { home })).code, 0);
    assert.ok(!(script.stdout() + script.stderr()).includes("s3cret"));
    assert.match(script.stderr(), /short token/);
  });

  it("names a busy port and what to do", async () => {
    const busy = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => busy.once("listening", resolve));
    const { port } = busy.address() as { readonly port: number };
    const script = startScript("mod.ts", {
      command: [...program, "serve", "--port", String(port)],
      env: { HOLON_HOME: home },
    });
    running.push(script);
    assert.equal(await script.exited, 1);
    busy.close();
    assert.equal(script.stdout(), "");
    assert.match(
      script.stderr(),
      new RegExp(`^holon: .*127\\.0\\.0\\.1:${port} already\n.*--port ${port + 1}\n$`, "m"),
    );
    assert.equal((await serve()).script.stdout().split("\n").length, 2);
  });

  it("honours a config.json with a byte order mark (BR-47)", async () => {
    writeApp(home, "big", { "index.html": "x".repeat(100) });
    const config = JSON.stringify({ local_apps: { max_asset_bytes: 99 } });
    writeFileSync(join(home, "config.json"), `\ufeff${config}`);
    const { url } = await serve();
    const response = await fetch(`${url}/apps/main/big/`);
    await response.body?.cancel();
    assert.equal(response.status, 413);
    assert.equal(
      (await run(["config", "get", "local_apps.max_asset_bytes"], { home })).out,
      "99\n",
    );
  });

  it("refuses an unsound config.json with a sentence that names the key", async () => {
    mkdirSync(home);
    writeFileSync(join(home, "config.json"), '{"events":{"window":"many"}}');
    const script = startScript("mod.ts", {
      command: [...program, "serve", "--port", "0"],
      env: { HOLON_HOME: home },
    });
    running.push(script);
    assert.equal(await script.exited, 1);
    assert.match(script.stderr(), /config\.json: events\.window has to be a whole number/);
  });
});
