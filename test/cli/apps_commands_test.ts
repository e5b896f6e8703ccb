import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
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

describe("apps new", () => {
  it("makes a sound app of each template, and says where", async () => {
    for (const template of ["card", "dashboard", "form", "game", "wasm", "blank"]) {
      const { code, out, err } = await run([
        "apps",
        "new",
        `my-${template}`,
        "--template",
        template,
      ], {
        home,
      });
      assert.equal(code, 0, err);
      const folder = join(home, "agents", "main", "apps", `my-${template}`);
      assert.ok(out.includes(folder), out);
      assert.ok(out.includes(`http://127.0.0.1:7878/apps/main/my-${template}/`), out);
      const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
      assert.equal(manifest.id, `my-${template}`);
      assert.match(manifest.name, /^My (Card|Dashboard|Form|Game|Wasm|Blank)$/);
      assert.equal(statSync(join(folder, "index.html")).mode & 0o777, 0o600);
      const check = await run(["apps", "check", folder, "--json"], { home });
      assert.equal(check.code, 0, check.out);
      const { findings } = JSON.parse(check.out) as { findings: { severity: string }[] };
      // Under the strict profile there is no WebAssembly, which is good to know.
      const noted = findings.filter(({ severity }) => severity === "note");
      assert.deepEqual(findings, template === "wasm" ? noted : []);
      for (const name of readdirSync(folder)) {
        assert.doesNotMatch(readFileSync(join(folder, name), "latin1"), /\{\{(?:id|name)\}\}/);
      }
    }
    const leftovers = readdirSync(join(home, "agents/main/apps")).filter((name) =>
      name.startsWith(".")
    );
    assert.deepEqual(leftovers, []);
  });

  it("makes the home with the first app where there is none yet", async () => {
    await run(["apps", "new", "mine"], { home });
    assert.equal(statSync(home).mode & 0o777, 0o700);
    assert.ok(existsSync(join(home, "agents/main/apps/ping-card/manifest.json")));
  });

  it("never overwrites what is there, whatever it is", async () => {
    const apps = join(home, "agents/main/apps");
    mkdirSync(join(apps, "folder"), { recursive: true });
    writeFileSync(join(apps, "file"), "mine");
    symlinkSync(join(directory.path, "nowhere"), join(apps, "link"));
    for (const name of ["folder", "file", "link"]) {
      const { code, err } = await run(["apps", "new", name], { home });
      assert.equal(code, 1);
      assert.match(err, /already, and it is left as it is/);
    }
    assert.equal(readFileSync(join(apps, "file"), "utf8"), "mine");
    assert.deepEqual(readdirSync(join(apps, "folder")), []);
  });

  it("refuses names that can't be ids, and agents that don't exist", async () => {
    for (const name of ["../x", "a/b", ".hidden", "a b", "é", ""]) {
      const { code, err } = await run(["apps", "new", "--", name], { home });
      assert.equal(code, 1, name);
      assert.match(err, /^holon: The app id/);
    }
    const { code, err } = await run(["apps", "new", "x", "--agent", "nobody"], { home });
    assert.equal(code, 1);
    assert.match(err, /holon agents create nobody/);
  });

  it("names the running server's address", async () => {
    mkdirSync(join(home, "agents/main"), { recursive: true });
    const daemon = await fakeDaemon(
      home,
      () => Response.json({ ok: true, http_addr: "127.0.0.1:4321", runtime_surface: { keys: [] } }),
    );
    const { out } = await run(["apps", "new", "x", "--json"], { home });
    await daemon.close();
    assert.equal(JSON.parse(out).url, "http://127.0.0.1:4321/apps/main/x/");
    assert.equal(JSON.parse(out).running, true);
  });
});

describe("apps check", () => {
  it("exits 1 and names what is wrong", async () => {
    const folder = join(directory.path, "bad");
    mkdirSync(folder);
    writeFileSync(join(folder, "manifest.json"), '{"id":"other"}');
    const text = await run(["apps", "check", folder], { home });
    assert.equal(text.code, 1);
    assert.match(text.out, /^error/m);
    const json = await run(["apps", "check", "bad", "--json"], { home, cwd: directory.path });
    assert.equal(json.code, 1);
    assert.equal(JSON.parse(json.out).ok, false);
    const none = await run(["apps", "check", "none"], { home, cwd: directory.path });
    assert.equal(none.code, 1);
    assert.match(none.err, /none can't be checked: it does not exist/);
  });
});

describe("apps check, of an app of the home", () => {
  it("takes its id or agent/app, unless there is such a path", async () => {
    await run(["apps", "new", "status-card"], { home });
    const cwd = directory.path;
    for (const name of ["status-card", "main/status-card"]) {
      const { code, out, err } = await run(["apps", "check", name, "--json"], { home, cwd });
      assert.equal(code, 0, err);
      const { folder, app_id, ...rest } = JSON.parse(out);
      assert.ok(folder.endsWith("/agents/main/apps/status-card"), folder);
      assert.equal(app_id, "status-card");
      assert.ok(!("appId" in rest));
    }
    assert.equal((await run(["apps", "check", "lab/status-card"], { home, cwd })).code, 1);
    mkdirSync(join(cwd, "status-card"));
    assert.equal((await run(["apps", "check", "status-card"], { home, cwd })).code, 1);
  });
});

describe("apps check, of what a page asks for", () => {
  it("names file and line, counts, and goes by the home's settings", async () => {
    const folder = join(home, "agents/main/apps/page");
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "index.html"),
      '<p>\n<img src="gone.png"><script src="/a.js"></script>',
    );
    writeFileSync(join(folder, "a.js"), "fetch('soon.json')");
    const broken = await run(["apps", "check", folder], { home });
    assert.equal(broken.code, 1);
    assert.match(broken.out, /^error {3}index\.html:2: There is no "gone\.png"$/m);
    assert.match(broken.out, /^broken {2}it needs mending: 2 errors$/m);
    writeFileSync(join(home, "config.json"), '{"local_apps":{"own_origin":["main/page"]}}');
    writeFileSync(join(folder, "gone.png"), "");
    const json = await run(["apps", "check", folder, "--json"], { home });
    assert.equal(json.code, 0);
    assert.deepEqual(JSON.parse(json.out).findings, [{
      severity: "warning",
      code: "missing_file",
      path: "a.js",
      line: 1,
      message: 'There is no "soon.json"',
    }]);
    const sound = await run(["apps", "check", folder], { home });
    assert.match(sound.out, /^ok {6}it can be served: 1 warning$/m);
  });
});

describe("apps list", () => {
  it("lists sound and broken apps without a server, and says so", async () => {
    await run(["apps", "new", "good"], { home });
    mkdirSync(join(home, "agents/main/apps/broken"));
    writeFileSync(join(home, "agents/main/apps/broken/manifest.json"), "{");
    const { code, out, err } = await run(["apps", "list"], { home });
    assert.equal(code, 0);
    assert.match(out, /^good +Good +0\.1\.0 +http:\/\/127\.0\.0\.1:7878\/apps\/main\/good\//m);
    assert.match(out, /^broken: broken: /m);
    assert.match(err, /no server runs/);
    const apps = JSON.parse((await run(["apps", "list", "--json"], { home })).out);
    assert.deepEqual(apps.map(({ id }: { id: string }) => id), ["broken", "good", "ping-card"]);
  });
});

describe("agents create and list", () => {
  it("makes a folder once, readable by its owner alone", async () => {
    const first = await run(["agents", "create", "lab"], { home });
    assert.equal(first.code, 0, first.err);
    assert.equal(statSync(join(home, "agents/lab")).mode & 0o777, 0o700);
    const second = await run(["agents", "create", "lab"], { home });
    assert.equal(second.code, 1);
    assert.match(second.err, /exists already/);
    assert.equal((await run(["agents", "create", "../x"], { home })).code, 1);
    const { out, err } = await run(["agents", "list", "--json"], { home });
    assert.deepEqual(JSON.parse(out), [{ id: "lab" }]);
    assert.match(err, /no server runs/);
  });
});

describe("messages", () => {
  it("need a server, and say how to start one", async () => {
    mkdirSync(home);
    for (const args of [["list"], ["show", "msg_1"]]) {
      const { code, err } = await run(["messages", ...args], { home });
      assert.equal(code, 1);
      assert.match(err, /no server runs.*\n.*holon serve/);
    }
  });

  it("show what a process wrote with its lines, indented", async () => {
    mkdirSync(home);
    const result = { exit_code: 1, error: null, stdout: "one\n\ttwo\n", stderr: "a\u001b[2J\nb" };
    const message = { id: "msg_1", payload: { x: 1 }, result };
    const daemon = await fakeDaemon(home, () => Response.json({ ok: true, message }));
    const { out } = await run(["messages", "show", "msg_1", "--agent", "main"], { home });
    await daemon.close();
    assert.equal(
      out,
      'id: msg_1\npayload:\n  {\n    "x": 1\n  }\nresult:\n  exit_code: 1\n' +
        "  stdout:\n    one\n    \ttwo\n  stderr:\n    a\ufffd[2J\n    b\n",
    );
  });

  it("say to a person what can be done next", async () => {
    mkdirSync(home);
    let status = "queued";
    const daemon = await fakeDaemon(
      home,
      () => Response.json({ ok: true, message: { id: "msg_1", status } }),
    );
    const show = async (...more: readonly string[]) =>
      (await run(["messages", "show", "msg_1", "--agent", "main", ...more], {
        home,
        terminal: true,
      })).err;
    const command = (what: string) => `\`holon messages ${what} msg_1 --agent main\``;
    assert.equal(
      await show(),
      `holon: it waits to be worked on; ${command("cancel")} takes it back\n`,
    );
    assert.ok((await show("--home", home)).includes(`cancel msg_1 --agent main --home ${home}\``));
    assert.equal(await show("--json"), "");
    assert.equal(await show("--quiet"), "");
    const piped = await run(["messages", "show", "msg_1", "--agent", "main"], { home });
    assert.equal(piped.err, "");
    status = "processing";
    assert.ok((await show()).includes(command("cancel")));
    for (status of ["failed", "cancelled"]) assert.ok((await show()).includes(command("retry")));
    status = "succeeded";
    assert.equal(await show(), "");
    await daemon.close();
  });

  it("name the default agent and its setting where there is no such agent", async () => {
    mkdirSync(home);
    writeFileSync(join(home, "config.json"), '{"agents":{"default":"zzz"}}');
    const daemon = await fakeDaemon(
      home,
      () => Response.json({ ok: false, error: "There is no agent with this id" }, { status: 404 }),
    );
    const answers = [];
    for (const args of [["messages", "list"], ["messages", "show", "m"], ["apps", "list"]]) {
      answers.push(await run(args, { home }));
    }
    const named = await run(["messages", "list", "--agent", "yyy"], { home });
    await daemon.close();
    answers.push(await run(["apps", "new", "x"], { home }));
    for (const { code, err } of answers) {
      assert.equal(code, 1);
      assert.match(err, /there is no agent zzz, which the setting agents\.default names/);
    }
    assert.match(named.err, /There is no agent with this id/);
  });

  it("are printed without what could steer the terminal", async () => {
    mkdirSync(home);
    const message = {
      id: "msg_1",
      status: "failed",
      origin: "app:x",
      request_type: "p\u001b[2Jing",
    };
    const daemon = await fakeDaemon(
      home,
      ({ path }) =>
        path.includes("/messages/")
          ? Response.json({
            ok: true,
            message: { ...message, result: { stdout: "a\u001b]0;x\u0007" } },
          })
          : Response.json({ ok: true, messages: [message], runtime_surface: { keys: [] } }),
    );
    const list = await run(["messages", "list", "--status", "failed", "--limit", "5"], { home });
    const show = await run(["messages", "show", "msg_1"], { home });
    await daemon.close();
    assert.equal(list.code, 0, list.err);
    assert.match(list.out, /msg_1 +failed +app:x/);
    assert.equal(show.code, 0, show.err);
    assert.ok(!(list.out + show.out).includes("\u001b"));
    const path = daemon.seen.find((seen) => seen.path.includes("/messages?"))?.path;
    assert.equal(path, "/api/agents/main/messages?limit=5&status=failed");
  });
});
