/**
 * The command lines of `contracts/holon-remote-tui-access.md` as written, but for names, addresses
 * and ports; each from another runtime, with curl as the other machine.
 *
 * @module
 */

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { after, afterEach, describe, it } from "node:test";
import { startScript } from "../support/runtime.ts";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { tempDirectory } from "../support/temp_home.ts";
import { requireAll, skipWithout } from "../support/tools.ts";

const TOKEN = "5b0e3c1f7a9d4e2f8c6b";
const NAME = "lab.tailnet.ts.net";
const skip = skipWithout("curl");

const ADDRESSES = Object.values(networkInterfaces()).flatMap((it) => it ?? [])
  .filter(({ address }) => !address.startsWith("fe80:"))
  .sort((a, b) => Number(a.internal) - Number(b.internal));
/** Addresses by which others reach this machine; those of loopback, where it has no others. */
const OWN = ADDRESSES.find(({ family }) => family === "IPv4")?.address ?? "127.0.0.1";
const OWN_V6 = ADDRESSES.find(({ family }) => family === "IPv6")?.address ?? "::1";
const hasV6 = ADDRESSES.some(({ family }) => family === "IPv6");

const directory = tempDirectory();
const tokenFile = join(directory.path, "remote.token");
writeFileSync(tokenFile, `${TOKEN}\n`, { mode: 0o600 });
let served: ServedHolon[] = [];
let homes = 0;

afterEach(async () => {
  await Promise.all(served.map((holon) => holon.stop()));
  served = [];
});
after(() => directory.remove());

async function serve(
  runtime: keyof typeof PROGRAMS,
  ...args: readonly string[]
): Promise<{ readonly holon: ServedHolon; readonly port: string }> {
  const home = join(directory.path, `home-${++homes}`);
  const holon = await startHolon({
    home,
    program: PROGRAMS[runtime],
    args: [...args, "--token-file", tokenFile],
  });
  served.push(holon);
  return { holon, port: new URL(holon.url).port };
}

/** What curl gets: the status and the body. */
async function curl(...args: readonly string[]): Promise<{ status: number; body: string }> {
  const command = [
    "curl",
    "-sS",
    "-g",
    "--noproxy",
    "*",
    "-m",
    "20",
    "-w",
    "\n%{http_code}",
    ...args,
  ];
  const script = startScript("", { command });
  assert.equal(await script.exited, 0, script.stderr());
  const out = script.stdout();
  const cut = out.lastIndexOf("\n");
  return { status: Number(out.slice(cut + 1)), body: out.slice(0, cut) };
}

const BEARER = ["-H", `Authorization: Bearer ${TOKEN}`];

/** Nobody gets in without the token, and whoever has it shakes hands. */
async function assertGuarded(url: string, ...args: readonly string[]): Promise<void> {
  for (const path of ["/api/agents", "/apps/main/ping-card/", "/handshake", "/api/openapi.json"]) {
    assert.equal((await curl(...args, url + path)).status, 401, url + path);
  }
  assert.equal(
    (await curl(...args, "-H", "Authorization: Bearer no", `${url}/handshake`)).status,
    401,
  );
  const { status, body } = await curl(...args, ...BEARER, `${url}/handshake`);
  assert.equal(status, 200, body);
  assert.deepEqual(JSON.parse(body).protocol, { name: "holon-control", version: 1 });
}

describe("remote access", { skip }, () => {
  it("--access tunnel: through a forwarded port of another number", async () => {
    const { holon, port } = await serve("node", "--access", "tunnel");
    assert.match(holon.script.stdout(), new RegExp(`ssh -N -L ${port}:127\\.0\\.0\\.1:${port} `));
    // What `ssh -L` does, at its end and at ours.
    const forward = createServer((socket) => {
      const onward = connect(Number(port), "127.0.0.1");
      socket.pipe(onward).pipe(socket);
      for (const end of [socket, onward]) end.on("error", () => socket.destroy());
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => forward.once("listening", resolve));
    const local = `http://127.0.0.1:${(forward.address() as { port: number }).port}`;
    await assertGuarded(local);
    await assertGuarded(local.replace("127.0.0.1", "localhost"));
    const body = JSON.stringify({ credential: TOKEN });
    const json = ["-H", "Content-Type: application/json", "-d", body];
    const exchange = `${local}/api/auth/session/exchange`;
    assert.equal((await curl(...json, "-H", `Origin: ${local}`, exchange)).status, 200);
    assert.equal((await curl(...json, "-H", "Origin: http://evil.example", exchange)).status, 403);
    const elsewhere = await curl("-H", "Host: evil.example", ...BEARER, `${local}/handshake`);
    assert.equal(elsewhere.status, 421);
    forward.close();
  });

  it("--access lan --host ADDRESS: there, and on loopback with the same token", async () => {
    const { holon, port } = await serve("bun", "--access", "lan", "--host", OWN, "--port", "0");
    assert.equal(holon.url, `http://${OWN}:${port}`);
    await assertGuarded(holon.url);
    if (!OWN.startsWith("127.")) await assertGuarded(`http://127.0.0.1:${port}`);
    const { runtime } = JSON.parse((await curl(...BEARER, `${holon.url}/handshake`)).body);
    assert.equal(runtime.listen, `${OWN}:${port}`);
    assert.equal(runtime.advertise_url, holon.url);
    // A name of the local network, once it is allowed.
    const named = ["--resolve", `box.local:${port}:${OWN}`];
    const box = `http://box.local:${port}`;
    assert.equal((await curl(...named, ...BEARER, `${box}/handshake`)).status, 421);
    const set = JSON.stringify({
      updates: [{ key: "server.allowed_hosts", value: ["box.local"] }],
    });
    const json = ["-X", "PATCH", "-H", "Content-Type: application/json", "-d", set];
    const config = `${holon.url}/api/control/runtime/config`;
    assert.equal((await curl(...json, ...BEARER, config)).status, 200);
    await assertGuarded(box, ...named);
  });

  it("--access lan --host ADDRESS with IPv6", {
    skip: hasV6 || requireAll ? false : "this machine has no IPv6",
  }, async () => {
    const { holon, port } = await serve(
      "deno",
      "--access",
      "lan",
      "--host",
      OWN_V6,
      "--port",
      "0",
    );
    assert.equal(holon.url, `http://[${OWN_V6}]:${port}`);
    await assertGuarded(holon.url);
  });

  it("--access tailnet --host NAME: answers to the name", async () => {
    const { holon, port } = await serve(
      "deno",
      ...["--access", "tailnet", "--host", NAME, "--port", "0"],
    );
    const url = `http://${NAME}:${port}`;
    assert.ok(holon.script.stdout().includes(`--connect ${url} --token-file`));
    const named = ["--resolve", `${NAME}:${port}:${OWN}`];
    await assertGuarded(url, ...named);
    assert.equal(
      (await curl("-H", "Host: other.ts.net", ...BEARER, `${holon.url}/handshake`)).status,
      421,
    );
  });

  it("--listen 0.0.0.0:PORT --advertise URL: both apart", async () => {
    const url = `https://${NAME}:8443`;
    const { holon, port } = await serve("bun", "--listen", "0.0.0.0:0", "--advertise", `${url}/#x`);
    await assertGuarded(`http://${OWN}:${port}`);
    await assertGuarded(`http://${NAME}:${port}`, "--resolve", `${NAME}:${port}:${OWN}`);
    const { runtime } = JSON.parse((await curl(...BEARER, `${holon.url}/handshake`)).body);
    assert.deepEqual([runtime.listen, runtime.advertise_url], [`0.0.0.0:${port}`, url]);
  });

  it("names what is in the way on loopback beside an address of a network", async () => {
    if (OWN.startsWith("127.")) return;
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as { port: number };
    const script = startScript("mod.ts", {
      command: [
        ...PROGRAMS.node,
        ...["serve", "--listen", `${OWN}:${port}`, "--token-file", tokenFile],
      ],
      env: { HOLON_HOME: join(directory.path, "in-the-way") },
    });
    assert.equal(await script.exited, 1);
    other.close();
    assert.match(
      script.stderr(),
      new RegExp(`another program listens on 127\\.0\\.0\\.1:${port} already\n.*there too`),
    );
  });

  it("refuses, before it binds or makes anything, what others would reach without a token", async () => {
    const home = join(directory.path, "never");
    for (
      const [runtime, args] of [
        ["node", ["--access", "lan", "--host", OWN]],
        ["bun", ["--listen", "0.0.0.0:0"]],
        ["deno", ["--advertise", "https://lab.example"]],
      ] as const
    ) {
      const command = [...PROGRAMS[runtime], "serve", ...args];
      const env = { HOLON_HOME: home, HOLON_CONTROL_TOKEN: undefined };
      const script = startScript("mod.ts", { command, env });
      assert.equal(await script.exited, 2);
      assert.match(script.stderr(), /^holon: .*needs a token\n.*--token-file/);
      assert.equal(script.stdout(), "");
      assert.ok(!existsSync(home));
    }
  });
});
