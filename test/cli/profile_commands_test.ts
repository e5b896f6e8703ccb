import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { handshakeBody, jsonText, type LyingServer, lyingServer } from "./client/lying_server.ts";
import { type CommandRun, run } from "./memory_io.ts";

const TOKEN = "the-token-of-the-lab-server";

let directory: TempDirectory;
let tokenFile: string;
let profiles: string;
const servers: LyingServer[] = [];
beforeEach(() => {
  directory = tempDirectory();
  tokenFile = join(directory.path, "token");
  profiles = join(directory.path, ".config", "holon", "profiles");
  writeFileSync(tokenFile, `${TOKEN}\n`, { mode: 0o600 });
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  directory.remove();
});

async function holon(...args: readonly string[]): Promise<CommandRun> {
  const result = await run(args, { env: { HOME: directory.path }, cwd: directory.path });
  assert.doesNotMatch(result.out + result.err, new RegExp(TOKEN));
  return result;
}

const add = (name: string, url: string, ...more: readonly string[]): Promise<CommandRun> =>
  holon("profile", "add", name, "--connect", url, "--token-file", "token", ...more);

/** A server with one agent that remembers who asked. */
async function server(agent: string): Promise<LyingServer> {
  const made = await lyingServer((socket, head) =>
    socket.end(
      jsonText(200, head.includes("/handshake ") ? handshakeBody() : { agents: [{ id: agent }] }),
    )
  );
  servers.push(made);
  return made;
}

describe("holon profile", () => {
  it("keeps address and token for its owner alone, lists them without tokens, and forgets", async () => {
    const empty = await holon("profile", "list");
    assert.match(empty.out, /no profiles yet/);
    const added = await add("lab", "http://lab:7878/#x");
    assert.equal(added.code, 0, added.err);
    assert.match(added.out, /^Kept http:\/\/lab:7878 as lab; its token goes there alone$/m);
    await add("other.one", "https://other.example");
    assert.equal(statSync(profiles).mode & 0o777, 0o700);
    assert.equal(statSync(join(profiles, "lab.json")).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(profiles).sort(), ["lab.json", "other.one.json"]);
    assert.ok(readFileSync(join(profiles, "lab.json"), "utf8").includes(TOKEN));

    const list = await holon("profile", "list");
    assert.match(list.out, /^lab +http:\/\/lab:7878 +20/m);
    const json = JSON.parse((await holon("profile", "list", "--json")).out);
    assert.deepEqual(
      json.map(({ name, connect, problem }: Record<string, unknown>) => [name, connect, problem]),
      [["lab", "http://lab:7878", null], ["other.one", "https://other.example", null]],
    );
    assert.equal((await holon("profile", "list", "--quiet")).out, "lab\nother.one\n");
    assert.equal((await holon("profile", "remove", "lab")).code, 0);
    assert.equal(existsSync(join(profiles, "lab.json")), false);
    assert.equal((await holon("profile", "remove", "lab")).code, 1);
  });

  it("follows XDG_CONFIG_HOME, and needs one of the two", async () => {
    const args = ["profile", "add", "p", "--connect", "http://lab", "--token-file", tokenFile];
    const folder = join(directory.path, "xdg");
    assert.equal((await run(args, { env: { XDG_CONFIG_HOME: folder } })).code, 0);
    assert.ok(existsSync(join(folder, "holon", "profiles", "p.json")));
    const none = await run(args, { env: { XDG_CONFIG_HOME: "relative" } });
    assert.equal(none.code, 1);
    assert.match(none.err, /Set HOME or XDG_CONFIG_HOME/);
  });

  it("refuses bad names and addresses, and replaces only when told", async () => {
    for (const name of ["", ".x", "../x", "a/b", "x".repeat(65), "a b"]) {
      assert.equal((await add(name, "http://lab")).code, 2, name);
    }
    assert.equal((await add("lab", "http://0.0.0.0:1")).code, 2);
    assert.equal((await add("lab", "lab:7878")).code, 2);
    assert.equal(existsSync(profiles), false);
    await add("lab", "http://lab:1");
    const again = await add("lab", "http://lab:2");
    assert.equal(again.code, 1);
    assert.match(again.err, /there is a profile lab already\n.*--replace/);
    assert.equal((await add("lab", "http://lab:2", "--replace")).code, 0);
    assert.match((await holon("profile", "list")).out, /^lab +http:\/\/lab:2 /m);
    const open = join(directory.path, "token");
    chmodSync(open, 0o644);
    assert.match((await add("new", "http://lab")).err, /read by others\n {2}Run: chmod 600/);
  });

  it("leads to its own address alone", async () => {
    const lab = await server("from-lab");
    const other = await server("from-other");
    await add("lab", lab.url);
    const list = ["agents", "list", "--quiet", "--token-profile", "lab"];
    assert.deepEqual(await holon(...list), { code: 0, out: "from-lab\n", err: "" });
    assert.ok(lab.heads.every((head) => head.includes(`Bearer ${TOKEN}`)));
    assert.equal((await holon(...list, "--connect", `${lab.url}/`)).out, "from-lab\n");

    const refused = await holon(...list, "--connect", other.url);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /the profile lab is for http.*so its token is not sent to http/);
    assert.equal(
      (await holon(...list, "--connect", lab.url.replace("127.0.0.1", "localhost"))).code,
      2,
    );
    assert.equal((await holon(...list, "--connect", lab.url.replace("http:", "https:"))).code, 2);
    assert.deepEqual(other.heads, []);

    const moved = await lyingServer((socket) =>
      socket.end(`HTTP/1.1 307 X\r\nlocation: ${other.url}/\r\ncontent-length: 0\r\n\r\n`)
    );
    servers.push(moved);
    await add("moved", moved.url);
    const redirected = await holon("agents", "list", "--token-profile", "moved");
    assert.match(redirected.err, /the token was not sent there/);
    assert.deepEqual(other.heads, []);
  });

  it("is not used when others can read or write it, or when it is broken", async () => {
    const lab = await server("a");
    await add("lab", lab.url);
    const file = join(profiles, "lab.json");
    const list = ["agents", "list", "--token-profile", "lab"];
    chmodSync(file, 0o640);
    const open = await holon(...list);
    assert.equal(open.code, 1);
    assert.match(open.err, new RegExp(`can be read by others\\n.*chmod 600 ${file}`));
    assert.match((await holon("profile", "list")).out, /^broken: lab: .*chmod 600/m);
    chmodSync(file, 0o600);
    chmodSync(profiles, 0o777);
    assert.match((await holon(...list)).err, /others can write to .*profiles, .*\n.*chmod 700/);
    chmodSync(profiles, 0o700);
    chmodSync(join(profiles, ".."), 0o770);
    assert.match((await holon(...list)).err, /others can write to .*holon, .*\n.*chmod 700/);
    chmodSync(join(profiles, ".."), 0o755);
    assert.equal((await holon(...list)).code, 0);

    const asked = lab.heads.length;
    for (const text of ["", "{", "null", "[]", '{"connect":"http://lab"}', '{"token":"x"}']) {
      writeFileSync(file, text);
      assert.match((await holon(...list)).err, /is not sound\n.*--replace/, text);
    }
    writeFileSync(file, JSON.stringify({ connect: "http://0.0.0.0:1", token: TOKEN }));
    assert.match((await holon(...list)).err, /the address of the profile lab .*nobody can dial/);
    mkdirSync(join(profiles, "dir.json"));
    assert.match((await holon("profile", "list")).out, /^broken: dir: .*no regular file/m);
    assert.equal(lab.heads.length, asked);
    assert.equal((await holon("agents", "list", "--token-profile", "none")).code, 1);
  });
});
