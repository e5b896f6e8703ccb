import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { checkAppFolder } from "../../src/apps/check_folder.ts";
import { TEMPLATES } from "../../src/apps/templates_built.ts";
import {
  type AppHandler,
  createAppHandler,
  OPEN_SETTINGS,
  STRICT_SETTINGS,
} from "../support/app_handler.ts";

describe("checkAppFolder()", () => {
  let handler: AppHandler;
  let apps: string;
  before(() => {
    handler = createAppHandler();
    apps = join(handler.home, "agents/main/apps");
  });
  after(() => handler.remove());

  const check = async (app: string, settings = OPEN_SETTINGS) => {
    const { findings, ...rest } = await checkAppFolder(
      handler.files,
      join(apps, app),
      settings,
    );
    return {
      ...rest,
      found: findings.map(({ severity, path, line, message }) =>
        `${severity} ${path}${line === null ? "" : `:${line}`}: ${message}`
      ),
    };
  };

  it("finds nothing in a sound app", async () => {
    handler.write({ "sound/index.html": "ok", "sound/sub/a.js": "ok" });
    assert.deepEqual(await check("sound"), {
      appId: "sound",
      found: [],
      files: 2,
      bytes: 4,
      truncated: false,
    });
  });

  it("finds what would be refused or not served", async () => {
    handler.write({
      "odd/index.html": "ok",
      "odd/.env": "x",
      "odd/.git/config": "x",
      "odd/holon.js": "x",
      "odd/big.bin": "0123456789x",
      "odd/b.wasm.gz": "x",
      "odd/back\\slash": "x",
      "sound/index.html": "ok",
    });
    symlinkSync("../sound/index.html", join(apps, "odd/out.html"));
    symlinkSync("absent", join(apps, "odd/dangling"));
    symlinkSync("index.html", join(apps, "odd/same.html"));
    execFileSync("mkfifo", [join(apps, "odd/pipe")]);
    const { found, files } = await check("odd", { ...OPEN_SETTINGS, maxAssetBytes: 10 });
    assert.deepEqual(found, [
      'note null: The profile "strict" would not serve, by their types: b.wasm.gz, big.bin',
      "note .env: Hidden, and so not served",
      "note .git: Hidden, and so not served",
      "note b.wasm.gz: Sent as it is: the browser won't decompress it",
      "warning back\\slash: Its name has a backslash or a control character: not served",
      "error big.bin: Larger than local_apps.max_asset_bytes (10 bytes)",
      "warning dangling: A link: There is no such file in this app",
      "warning holon.js: The SDK has this address: the file is not served",
      "warning out.html: A link: The path leads out of the app's folder",
      "warning pipe: Neither a file nor a folder, and so not served",
    ]);
    assert.equal(files, 5);
  });

  it("tells of a compressed download only where the plain file is missing", async () => {
    handler.write({ "pair/index.html": "ok", "pair/app.js": "1", "pair/lone.js.gz": "x" });
    handler.write({ "pair/app.js.gz": "x" });
    for (const precompressed of [false, true]) {
      const { found } = await check("pair", { ...OPEN_SETTINGS, precompressed });
      assert.deepEqual(found.filter((text) => text.includes("Sent as it is")), [
        "note lone.js.gz: Sent as it is: the browser won't decompress it",
      ]);
    }
  });

  it("finds a broken manifest and a missing entry", async () => {
    handler.write({
      "broken/manifest.json": "{",
      "bare/a.txt": "",
      "lost/manifest.json": JSON.stringify({
        id: "lost",
        name: "L",
        version: "1",
        entry: "x.html",
      }),
    });
    assert.match((await check("broken")).found.join(), /^error null: .*not valid JSON/);
    assert.match((await check("bare")).found.join(), /^error null: .*no readable index.html/);
    assert.match((await check("lost")).found.join(), /^error x.html: .*can't be served/);
  });

  it("goes by the profile", async () => {
    handler.write({ "s/index.html": "ok", "s/a.wasm": "x" });
    const { found } = await check("s", STRICT_SETTINGS);
    assert.match(found[0] ?? "", /^error null: .*strict/);
    assert.match(found[1] ?? "", /^warning a.wasm: .*strict/);
  });

  it("refuses a name that can't be an id", async () => {
    handler.write({ "a b/index.html": "ok" });
    assert.match((await check("a b")).found.join(), /can't be an app id/);
  });

  /** What is found in an app of these files beside an entry page, as `severity code path:line`. */
  const codes = async (files: Record<string, string>, settings = OPEN_SETTINGS, id = "c") => {
    rmSync(join(apps, id), { recursive: true, force: true });
    handler.write(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`${id}/${path}`, text])),
    );
    const { findings } = await checkAppFolder(handler.files, join(apps, id), settings);
    return findings.map(({ severity, code, path, line }) =>
      `${severity} ${code} ${path}${line === null ? "" : `:${line}`}`
    );
  };
  const manifest = (rest: object, id = "c") =>
    JSON.stringify({ id, name: "C", version: "1", entry: "index.html", ...rest });

  it("follows what pages ask for, through styles and modules", async () => {
    const found = await codes({
      "index.html": `<link rel=stylesheet href=css/a.css>
<script type=module src=js/a.js></script>
<a href=sub/page.html></a>`,
      "css/a.css": `@import "b.css";`,
      "css/b.css": `a { b: url(../img/gone.png) }`,
      "js/a.js": `import "./b.js";\nimport { x } from "./gone.js";`,
      "js/b.js": `new Worker("js/worker.js");`,
      "js/worker.js": `importScripts("gone2.js")`,
      "sub/page.html": "<img src=gone.png><img src=../here.png>",
      "here.png": "",
    });
    assert.deepEqual(found, [
      "error missing_file css/b.css:1",
      "error missing_file js/a.js:2",
      "warning missing_file js/worker.js:1",
      "error missing_file sub/page.html:1",
    ]);
  });

  it("only warns about pages that nothing leads to", async () => {
    const found = await codes({ "index.html": "", "draft.html": "\n<img src=gone.png>" });
    assert.deepEqual(found, ["warning missing_file draft.html:2"]);
  });

  it("knows Holon's own names, and where the SDK is", async () => {
    const found = await codes({
      "index.html": `<script src=holon.js></script><script type=module src=holon.mjs></script>
<a href="sub/page.html"></a><a href="./"></a><a href="#x"></a><a href="/"></a>
<script type=module>import { Holon } from "./holon.mjs"; fetch("context")</script>`,
      "sub/page.html": "<script src=holon.js></script><script src=../holon.js></script>",
    });
    assert.deepEqual(found, ["note leaves_app index.html:2", "error missing_file sub/page.html:1"]);
  });

  it("says how to write an absolute link", async () => {
    handler.write({
      "d/index.html": `<script src="/js/a.js"></script>\n<a href="/about"></a>
<a href="/apps/main/d/js/a.js"></a><img src="/apps/lab/d/a.png">`,
      "d/js/a.js": "",
    });
    const { found } = await check("d");
    assert.deepEqual(found, [
      `error index.html:1: "/js/a.js" misses the app, which is not at "/": write "js/a.js"`,
      `error index.html:2: "/about" misses the app, which is not at "/": write it without the ` +
      `slash in front`,
      `error index.html:3: "/apps/lab/d/a.png" misses the app, which is not at "/": write it ` +
      `without the slash in front`,
    ]);
  });

  it("allows absolute links of an app with an origin of its own", async () => {
    const files = {
      "index.html": `<script src="/a.js"></script><img src="/gone.png">`,
      "a.js": "",
    };
    assert.equal((await codes(files)).length, 2);
    for (const ownOrigins of [["main/c"], ["all"]]) {
      const folder = join(apps, "c");
      const check = await checkAppFolder(handler.files, folder, OPEN_SETTINGS, ownOrigins);
      assert.deepEqual(check.findings.map(({ message }) => message), ['There is no "gone.png"']);
    }
  });

  it("finds names that differ by case, hidden ones, folders, and what leads out", async () => {
    const found = await codes({
      "index.html": `<img src=Logo.png>
<img src=.logo.png>
<a href=docs></a>
<script src=../shared/x.js></script>
<script src=../../../../x.js></script>
<a href="http://["></a>`,
      "logo.png": "",
      ".logo.png": "",
      "docs/index.html": "",
    });
    assert.deepEqual(found, [
      "note hidden .logo.png",
      "error case_mismatch index.html:1",
      "error hidden index.html:2",
      "warning folder_link index.html:3",
      "warning leaves_app index.html:4",
      "error leaves_app index.html:5",
      "warning malformed_link index.html:6",
    ]);
  });

  it("sees the entry page at the app's root, wherever it lies", async () => {
    const files = {
      "manifest.json": manifest({ entry: "pages/start.html" }),
      "pages/start.html": "<script src=a.js></script>\n<script src=../b.js></script>",
      "pages/a.js": "",
      "b.js": "",
    };
    assert.deepEqual(await codes(files), [
      "error missing_file pages/start.html:1",
      "error leaves_app pages/start.html:2",
    ]);
    const { found } = await check("c");
    assert.match(
      found[0] ?? "",
      /write "pages\/a\.js": the entry page is served at the app's root/,
    );
    assert.match(found[1] ?? "", /write "b\.js"/);
  });

  it("heeds a base, and an import map", async () => {
    const map = JSON.stringify({ imports: { lib: "./lib/lib.js", "x/": "./gone/" } });
    const found = await codes({
      "index.html": `<base href="/apps/main/c/sub/"><script type=importmap>${map}</script>
<script type=module>import "lib"; import "bare";
import "x/y.js";</script><img src=here.png>`,
      "sub/here.png": "",
      "sub/lib/lib.js": "",
    });
    assert.deepEqual(found, ["error bare_import index.html:2", "error missing_file index.html:3"]);
    const astray = { "index.html": `<base href="/">\n<img src=here.png>`, "here.png": "" };
    assert.deepEqual(await codes(astray), ["error absolute_link index.html:1"]);
  });

  it("finds scripts that browsers won't run", async () => {
    const found = await codes({
      "index.html": `<script src=a.ts></script>
<script src=b.js></script>
<link rel=stylesheet href=c.txt>
<script>import "./b.js"</script>`,
      "a.ts": "",
      "b.js": "export const b = 1;",
      "c.txt": "",
    });
    assert.deepEqual(found.slice(1), [
      "error classic_import b.js:1",
      "error wrong_type index.html:1",
      "error wrong_type index.html:3",
      "error classic_import index.html:4",
    ]);
  });

  it("warns of a fallback page whose links are relative, unless it has a base", async () => {
    const files = (page: string) => ({
      "manifest.json": manifest({ fallback: "index.html" }),
      "index.html": page,
      "a.js": "",
    });
    const script = "<script src=a.js></script><a href=users/42></a>";
    assert.deepEqual(await codes(files(script)), ["warning fallback_base index.html:1"]);
    assert.match((await check("c")).found[0] ?? "", /add <base href="\/apps\/main\/c\/">/);
    assert.deepEqual(await codes(files(`<base href="/apps/main/c/">${script}`)), []);
    const written = "<script>document.write(`<base href=...>`)</script>";
    assert.deepEqual(await codes(files(written + script)), []);
    const missing = files("");
    missing["manifest.json"] = manifest({ fallback: "absent.html" });
    assert.deepEqual(await codes(missing), ["error entry absent.html"]);
  });

  it("tells what comes from other sites, and what isolation makes of it", async () => {
    const page = `<script src="https://a.example/x.js"></script>
<script src="https://a.example/y.js" crossorigin></script>
<iframe src="https://a.example/"></iframe><a href="https://a.example/"></a>`;
    const notes = [1, 2, 3].map((line) => `note external index.html:${line}`);
    assert.deepEqual(await codes({ "index.html": page }), notes);
    const isolated = { "index.html": page, "manifest.json": manifest({ isolation: true }) };
    assert.deepEqual(
      (await codes(isolated)).filter((finding) => !finding.startsWith("note")),
      ["warning isolation index.html:1", "warning isolation index.html:3"],
    );
  });

  it("tells what the strict profile would block, and errs where it is on", async () => {
    const files = {
      "manifest.json": manifest({}),
      "index.html": `<p onclick="x()">
<img src="https://a.example/x.png">
<iframe src=frame.html></iframe>
<script>eval("1")</script>
<script src=a.js></script>`,
      "frame.html": "",
      "a.js": `fetch("x.wasm")`,
      "x.wasm": "",
    };
    assert.deepEqual(await codes(files), [
      "note strict_type null",
      "note external index.html:2",
      "note policy index.html:3",
      "note policy index.html:4",
    ]);
    assert.deepEqual(await codes(files, STRICT_SETTINGS), [
      "error strict_type a.js:1",
      "error policy index.html:2",
      "note external index.html:2",
      "error policy index.html:3",
      "warning policy index.html:4",
      "warning strict_type x.wasm",
    ]);
    const own = { ...OPEN_SETTINGS, csp: "img-src *; script-src 'self'" };
    assert.deepEqual((await codes(files, own)).slice(1), [
      "warning policy index.html:1",
      "note external index.html:2",
      "warning policy index.html:4",
      "warning policy index.html:4",
    ]);
  });

  it("finds compressed files that are stale, empty or of something else", async () => {
    const bytes = { "stale.js": 1, "empty.js": 1, "wrong.js": 1, "junk.js": 1, "good.js": 1 };
    const folder = join(apps, "c");
    rmSync(folder, { recursive: true, force: true });
    handler.write({ "c/index.html": "", "c/alone.js.gz": gzipSync("x") });
    for (const name of Object.keys(bytes)) handler.write({ [`c/${name}`]: "text".repeat(50_000) });
    handler.write({
      "c/stale.js.gz": gzipSync("text".repeat(50_000)),
      "c/empty.js.br": "",
      "c/wrong.js.gz": gzipSync("text".repeat(50_001)),
      "c/wrong.js.br": brotliCompressSync("text"),
      "c/junk.js.gz": "no gzip",
      "c/good.js.gz": gzipSync("text".repeat(50_000)),
      "c/good.js.br": brotliCompressSync("text".repeat(50_000)),
    });
    utimesSync(join(folder, "stale.js.gz"), new Date(0), new Date(0));
    const found = (await checkAppFolder(handler.files, folder, OPEN_SETTINGS)).findings
      .filter(({ path }) => path !== null)
      .map(({ severity, code, path }) => `${severity} ${code} ${path}`);
    assert.deepEqual(found, [
      "note compressed_download alone.js.gz",
      "warning sidecar_broken empty.js.br",
      "error sidecar_broken junk.js.gz",
      "warning sidecar_stale stale.js.gz",
      "error sidecar_broken wrong.js.br",
      "error sidecar_broken wrong.js.gz",
    ]);
    const off = await checkAppFolder(handler.files, folder, {
      ...OPEN_SETTINGS,
      precompressed: false,
    });
    assert.ok(off.findings.slice(1).every(({ code }) => code === "compressed_download"));
  });

  it("finds nothing wrong with the templates", async () => {
    for (const [name, files] of Object.entries(TEMPLATES)) {
      for (const { path, content, encoding } of files) {
        handler.write({
          [`${name}/${path}`]: encoding === "base64"
            ? Uint8Array.from(atob(content), (char) => char.charCodeAt(0))
            : content.replaceAll("{{id}}", name).replaceAll("{{name}}", name),
        });
      }
      const { found } = await check(name);
      assert.deepEqual(found.filter((text) => !text.startsWith("note")), [], name);
    }
  });
});
