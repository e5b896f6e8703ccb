import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { commandsOf } from "../../src/cli/command_words.ts";
import { grammar } from "../../src/cli/grammar.ts";
import { type ListeningHolon, listeningHolon } from "../support/listening_holon.ts";
import { until } from "../support/until.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { jsonText, type LyingServer, lyingServer } from "./client/lying_server.ts";
import { type FakeDaemon, fakeDaemon } from "./fake_daemon.ts";
import { type CommandRun, run } from "./memory_io.ts";

const TOKEN = "the-token-of-the-server-elsewhere";
const LIMIT = "local_apps.max_asset_bytes";

/** Every command that talks to a server. */
const COMMANDS: readonly (readonly string[])[] = [
  ["agents", "list"],
  ["agents", "create", "other"],
  ["apps", "list"],
  ["messages", "list"],
  ["messages", "show", "msg_1"],
  ["messages", "send", "main", "hello"],
  ["messages", "cancel", "msg_1"],
  ["messages", "retry", "msg_1"],
  ["config", "get", LIMIT],
  ["config", "set", LIMIT, "9"],
  ["config", "unset", LIMIT],
  ["config", "list"],
  ["pair"],
  ["token", "list"],
  ["token", "create", "other"],
  ["token", "revoke", "other"],
  ["token", "rotate", "other"],
  ["sessions", "list"],
  ["sessions", "revoke", "--all"],
  ["doctor"],
  ["version"],
];

let directory: TempDirectory;
let home: string;
let tokenFile: string;
let holon: ListeningHolon;
/** What must not be touched: the server of this machine's home, and its usual address. */
let daemon: FakeDaemon;
let local: LyingServer;
let env: Readonly<Record<string, string>>;

before(async () => {
  directory = tempDirectory();
  home = join(directory.path, "home");
  mkdirSync(home, { mode: 0o700 });
  tokenFile = join(directory.path, "token");
  writeFileSync(tokenFile, `${TOKEN}\n`, { mode: 0o600 });
  holon = await listeningHolon({ token: TOKEN });
  holon.write({ "card/index.html": "<h1>Card</h1>" });
  daemon = await fakeDaemon(home, () => Response.json({ ok: true }));
  local = await lyingServer((socket) => socket.end(jsonText(200, { ok: true })));
  env = {
    HOLON_HOME: home,
    HOME: directory.path,
    HOLON_HTTP_ADDR: `127.0.0.1:${local.port}`,
    HOLON_CONTROL_TOKEN: TOKEN,
  };
});
after(async () => {
  await Promise.all([holon.close(), daemon.close(), local.close()]);
  directory.remove();
});

/** Runs a command, and makes sure that nothing of this machine was used. */
async function elsewhere(args: readonly string[], url = holon.url): Promise<CommandRun> {
  return await untouched([...args, "--connect", url, "--token-file", tokenFile]);
}

async function untouched(args: readonly string[]): Promise<CommandRun> {
  const result = await run(args, { env });
  assert.deepEqual(daemon.seen, [], args.join(" "));
  assert.deepEqual(local.heads, [], args.join(" "));
  assert.deepEqual(readdirSync(home), ["run"], args.join(" "));
  assert.doesNotMatch(result.out + result.err, new RegExp(TOKEN));
  return result;
}

async function json(args: readonly string[]): Promise<ReturnType<typeof JSON.parse>> {
  const { code, out, err } = await elsewhere([...args, "--json"]);
  assert.equal(code, 0, `${args.join(" ")}: ${err}`);
  return JSON.parse(out);
}

describe("a server elsewhere", () => {
  it("tells its agents and apps, with URLs to open", async () => {
    const list = await elsewhere(["agents", "list"]);
    assert.match(list.out, /^main +none \(waits for a worker\) +0/m, list.err);
    assert.equal((await elsewhere(["agents", "list", "--quiet"])).out, "main\n");
    const [app] = await json(["apps", "list"]);
    assert.equal(app.url, `${holon.url}/apps/main/card/`);
    assert.match(
      (await elsewhere(["apps", "list"])).out,
      new RegExp(`^card .*${holon.url}/apps`, "m"),
    );
    assert.equal((await elsewhere(["apps", "list", "-q"])).out, "card\n");
    const unknown = await elsewhere(["apps", "list", "--agent", "zzz"]);
    assert.equal(unknown.code, 1);
    assert.match(unknown.err, /^holon: /);
  });

  it("has agents made on it", async () => {
    const made = await elsewhere(["agents", "create", "second"]);
    assert.equal(made.out, `Made the agent second on ${holon.url}\n`, made.err);
    assert.ok(existsSync(join(holon.home, "agents", "second")));
    const again = await elsewhere(["agents", "create", "second"]);
    assert.equal(again.code, 1);
    assert.match(again.err, /has an agent second already/);
  });

  it("takes messages, shows, cancels and repeats them", async () => {
    const sent = await json(["messages", "send", "main/ping", "--payload", '{"n":1}']);
    const shown = await json(["messages", "show", sent.message_id]);
    assert.deepEqual(
      [shown.origin, shown.request_type, shown.payload, shown.status],
      ["operator", "ping", { n: 1 }, "queued"],
    );
    const cancelled = await elsewhere(["messages", "cancel", sent.message_id]);
    assert.equal(cancelled.out, `${sent.message_id} is cancelled\n`, cancelled.err);
    const retried = await elsewhere(["messages", "retry", sent.message_id, "-q"]);
    assert.match(retried.out, /^msg_\S+\n$/, retried.err);
    const again = await elsewhere(["messages", "retry", retried.out.trim()]);
    assert.equal(again.code, 1);
    assert.match(again.err, /still under way\n {2}Cancel it first/);
    assert.equal((await json(["messages", "list"])).length, 2);

    const payload = join(directory.path, "payload.json");
    writeFileSync(payload, "[1,2]");
    const key = ["--idempotency-key", "k", "--request-id", "r"];
    const first = await json(["messages", "send", "main", "--payload-file", payload, ...key]);
    const second = await json(["messages", "send", "main", "--payload-file", payload, ...key]);
    assert.deepEqual([second.message_id, second.replayed], [first.message_id, true]);
    const huge = await elsewhere(["messages", "send", "main", "--payload", '{"n":1e999}']);
    assert.equal(huge.code, 2);
    assert.match(huge.err, /--payload has a number that is out of range\n {2}Give numbers between/);
    const text = await elsewhere(["messages", "send", "main", "Say", "hello"]);
    assert.match(text.out, /^Sent to main as msg_/);
    assert.match(text.err, /holon messages show msg_\S+ --agent main/);
  });

  it("is waited for with --wait until a message has ended", async () => {
    const agent = "waiting";
    assert.equal((await elsewhere(["agents", "create", agent])).code, 0);
    const api = `${holon.url}/api/agents/${agent}/messages`;
    const post = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
      const response = await fetch(api + path, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      return await response.json();
    };
    for (const [verb, code, status] of [["ack", 0, "succeeded"], ["fail", 1, "failed"]] as const) {
      const waiting = elsewhere(["messages", "send", agent, "work", "--wait", "--json"]);
      let taken: { readonly id: string; readonly lease_id: string } | undefined;
      await until(async () => {
        [taken] = (await post("/claim", {})).messages;
        return taken !== undefined;
      });
      await post(`/${taken!.id}/${verb}`, { lease_id: taken!.lease_id });
      const done = await waiting;
      assert.equal(done.code, code, done.err);
      assert.deepEqual([JSON.parse(done.out).id, JSON.parse(done.out).status], [taken!.id, status]);
    }
  });

  it("has tokens made and ended, which open no more than their scope", async () => {
    const made = await elsewhere(["token", "create", "reader"]);
    assert.equal(made.code, 0, made.err);
    const reader = ["--connect", holon.url, "--token", made.out.trim()];
    assert.equal((await untouched(["apps", "list", "-q", ...reader])).out, "card\n");
    const refused = await untouched(["messages", "send", "main", "hello", ...reader]);
    assert.deepEqual([refused.code, refused.out], [1, ""]);
    assert.match(refused.err, /^holon: .*control/);
    assert.equal((await elsewhere(["token", "list", "--quiet"])).out, "reader\n");
    assert.equal((await elsewhere(["token", "revoke", "reader"])).code, 0);
    const ended = await untouched(["apps", "list", ...reader]);
    assert.match(ended.err, /does not take this token/);
    assert.equal((await elsewhere(["sessions", "list"])).out, "Nobody is signed in.\n");
  });

  it("has its settings read and changed, and this machine's file stays away", async () => {
    const set = await elsewhere(["config", "set", LIMIT, "1234567"]);
    assert.deepEqual([set.code, set.out], [0, "1234567\n"], set.err);
    assert.equal(set.err, "applied_via=daemon_api\n");
    assert.equal((await elsewhere(["config", "get", LIMIT])).out, "1234567\n");
    assert.match((await elsewhere(["config", "list"])).out, /max_asset_bytes +1234567 +file/);
    const refused = await elsewhere(["config", "set", "agents.default", "second"]);
    assert.equal(refused.code, 0, refused.err);
    assert.equal((await elsewhere(["config", "unset", "agents.default"])).code, 0);
    assert.equal((await elsewhere(["config", "unset", LIMIT, "--quiet"])).out, "");
  });

  it("is looked at by doctor and version", async () => {
    const doctor = await elsewhere(["doctor"]);
    assert.equal(doctor.code, 0, doctor.out);
    assert.match(doctor.out, /runs Holon 0\.1\.0 and takes the token \(holon-control 1\)/);
    assert.match(doctor.out, /1 sound app/);
    assert.match((await elsewhere(["version"])).out, /^http:\/\/127.* runs holon 0\.1\.0$/m);
  });

  it("refuses a wrong token in one sentence", async () => {
    const wrong = ["--connect", holon.url, "--token", "not-the-token"];
    // Few, since an address has 20 attempts before it is put off.
    for (const command of COMMANDS.filter((_, index) => index % 3 === 0)) {
      const { code, out, err } = await untouched([...command, ...wrong]);
      assert.deepEqual([code, out], [1, ""], command.join(" "));
      assert.match(err, /^holon: http:\/\/127\.0\.0\.1:\d+ does not take this token\n {2}\S/);
    }
  });
});

describe("--connect", () => {
  it("is tried with every command that takes it, but for the terminal UI", () => {
    const known = commandsOf(grammar.usage)
      .filter(({ options }) => options.includes("--connect") && options.includes("--token"))
      .map(({ words }) => words.join(" "))
      .filter((name) => name !== "tui");
    const tried = new Set(
      known.filter((name) =>
        COMMANDS.some((command) => `${command.join(" ")} `.startsWith(`${name} `))
      ),
    );
    assert.deepEqual([...tried], known);
  });

  it("never falls back: not where nothing listens, nor where it is no Holon", async () => {
    const gone = await lyingServer(() => {});
    await gone.close();
    const other = await lyingServer((socket) =>
      socket.end(jsonText(200, { ok: true, agents: [] }))
    );
    for (const command of COMMANDS) {
      const absent = await elsewhere(command, gone.url);
      assert.deepEqual([absent.code, absent.out], [1, ""], command.join(" "));
      assert.match(absent.err, /^holon: nothing listens at http/);
      const foreign = await elsewhere(command, other.url);
      assert.deepEqual([foreign.code, foreign.out], [1, ""], command.join(" "));
      assert.match(foreign.err, /names no protocol in its handshake, not as Holon does/);
    }
    assert.ok(other.heads.every((head) => head.startsWith("GET /api/handshake ")));
    await other.close();
  });

  it("needs exactly one token, and a URL that can be dialled: else 2, and nothing is dialled", async () => {
    const server = await lyingServer((socket) => socket.end(jsonText(200, {})));
    const connect = ["--connect", server.url];
    const wrong: readonly [readonly string[], RegExp][] = [
      [connect, /--connect needs a token\n.*exactly one/],
      [[...connect, "--token", "t", "--token-file", "f"], /--token and --token-file exclude/],
      [[...connect, "--token", "t", "--token-profile", "p"], /--token and --token-profile exclude/],
      [[...connect, "--token-file", "f", "--token-profile", "p"], /exclude each other/],
      [["--token", "t"], /--connect is missing/],
      [["--token-file", "f"], /--connect is missing/],
      [[...connect, "--token", "t", "--home", home], /--home is for this machine/],
      [["--connect", "http://0.0.0.0:7878", "--token", "t"], /nobody can dial/],
      [["--connect", "lab:7878", "--token", "t"], /no http or https URL/],
      [["--connect", "http://me:pw@lab", "--token", "t"], /user name or a password/],
      [["--connect", "http://lab/?x", "--token", "t"], /query/],
      [["--connect", "", "--token", "t"], /is empty/],
      [[...connect, "--token-file", ""], /--token-file is empty/],
    ];
    for (const command of COMMANDS) {
      const some = command === COMMANDS[0] ? wrong : wrong.slice(0, 2);
      for (const [options, sentence] of some) {
        const { code, out, err } = await untouched([...command, ...options]);
        assert.deepEqual([code, out], [2, ""], `${command.join(" ")} ${options.join(" ")}: ${err}`);
        assert.match(err, sentence);
      }
    }
    const bad: readonly [readonly string[], RegExp][] = [
      [["--token", "   "], /--token is empty/],
      [["--token", "a b"], /has a blank/],
      [["--token-file", join(directory.path, "none")], /does not exist/],
      [["--token-profile", "none"], /there is no profile none/],
    ];
    for (const [options, sentence] of bad) {
      const { code, err } = await untouched(["agents", "list", ...connect, ...options]);
      assert.equal(code, 1, options.join(" "));
      assert.match(err, sentence);
    }
    writeFileSync(join(directory.path, "open"), TOKEN, { mode: 0o644 });
    const options = ["--token-file", join(directory.path, "open")];
    const open = await untouched(["agents", "list", ...connect, ...options]);
    assert.match(open.err, /can be read by others\n {2}Run: chmod 600 /);
    assert.deepEqual(server.heads, []);
    await server.close();
  });

  it("says of commands about this machine that they don't take it", async () => {
    const commands = [["serve"], ["apps", "new", "x"], ["apps", "check", "."], [
      "config",
      "schema",
    ]];
    for (const command of commands) {
      const { code, err } = await untouched([...command, "--connect", holon.url]);
      assert.equal(code, 2);
      assert.match(err, /works on this machine alone, and takes no --connect/);
    }
  });

  it("follows no redirect, and stops at --timeout", async () => {
    const moved = await lyingServer((socket) =>
      socket.end(
        `HTTP/1.1 302 X\r\nlocation: ${holon.url}/api/handshake\r\ncontent-length: 0\r\n\r\n`,
      )
    );
    const { code, err } = await elsewhere(["agents", "list"], moved.url);
    assert.equal(code, 1);
    assert.match(err, /sends on to http.*the token was not sent there/);
    await moved.close();
    const silent = await lyingServer(() => {});
    const slow = await elsewhere(["agents", "list", "--timeout", "1"], silent.url);
    assert.equal(slow.code, 1);
    assert.match(slow.err, /did not answer within 1 s/);
    await silent.close();
  });
});
