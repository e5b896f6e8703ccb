import assert from "node:assert/strict";
import { createServer } from "node:net";
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  type AppHandler,
  createAppHandler,
  OPEN_SETTINGS,
  outcomeOf,
  STRICT_SETTINGS,
} from "../support/app_handler.ts";

describe("files of an app", () => {
  let handler: AppHandler;
  let root: string;
  before(() => {
    handler = createAppHandler();
    root = join(handler.home, "agents/main/apps/a");
    handler.write({
      "a/index.html": "<p>A",
      "a/f.txt": "0123456789",
      "a/empty.txt": "",
      "a/sub/index.html": "sub",
      "a/.env": "CANARY",
      "a/.git/config": "CANARY",
      "a/big.bin": new Uint8Array(200_000).map((_, index) => index % 251),
      "a/tool.sh": "echo",
      "b/index.html": "B",
      "b/secret.txt": "CANARY",
    });
    writeFileSync(join(handler.home, "secret.txt"), "CANARY");
  });
  after(() => handler.remove());

  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    handler.fetch(`/apps/main/a/${path}`, { headers, method });
  const outcome = async (path: string, headers = {}, method = "GET") =>
    outcomeOf(await get(path, headers, method));
  const link = (name: string, target: string) => symlinkSync(target, join(root, name));
  /** Later than the files' times by more than it takes to trust them. */
  const settle = () => handler.clock = { now: () => Date.now() + 60_000 };

  describe("headers", () => {
    it("are those of the contract", async () => {
      settle();
      const response = await get("f.txt");
      const headers = Object.fromEntries(response.headers);
      assert.equal(response.status, 200);
      assert.match(headers["etag"] ?? "", /^"[^"]+"$/);
      assert.match(headers["last-modified"] ?? "", / GMT$/);
      for (const name of ["etag", "last-modified", "date"]) delete headers[name];
      assert.deepEqual(headers, {
        "accept-ranges": "bytes",
        "cache-control": "no-store",
        "content-length": "10",
        "content-type": "text/plain; charset=utf-8",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
      });
      assert.equal(await response.text(), "0123456789");
    });

    it("carry the operator's policy when there is one", async () => {
      handler.settings = { ...OPEN_SETTINGS, csp: "default-src 'self'" };
      for (const path of ["", "f.txt"]) {
        const response = await get(path);
        assert.equal(response.headers.get("content-security-policy"), "default-src 'self'");
        await response.body?.cancel();
      }
      handler.settings = OPEN_SETTINGS;
    });

    it("stay on 304 and 206", async () => {
      settle();
      const tag = (await get("f.txt", {}, "HEAD")).headers.get("etag") ?? "";
      const same = await get("f.txt", { "if-none-match": tag });
      assert.equal(same.status, 304);
      assert.equal(same.headers.get("etag"), tag);
      assert.equal(same.headers.get("cache-control"), "no-store");
      assert.equal(same.headers.get("x-content-type-options"), "nosniff");
      const part = await get("f.txt", { range: "bytes=2-4", "if-range": tag });
      assert.equal(part.status, 206);
      assert.equal(part.headers.get("content-range"), "bytes 2-4/10");
      assert.equal(part.headers.get("content-length"), "3");
      assert.equal(await part.text(), "234");
    });

    it("of 416 name the size and no validator", async () => {
      const response = await get("f.txt", { range: "bytes=10-" });
      assert.equal(response.status, 416);
      assert.equal(response.headers.get("content-range"), "bytes */10");
      assert.equal(response.headers.get("etag"), null);
      assert.equal(response.headers.get("content-type"), null);
    });

    it("of 412 are an envelope", async () => {
      assert.equal(await outcome("f.txt", { "if-match": '"x"' }), "412 precondition_failed");
    });
  });

  describe("HEAD", () => {
    it("ignores a range and has no body", async () => {
      const response = await get("big.bin", { range: "bytes=0-4" }, "HEAD");
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-length"), "200000");
      assert.equal(response.body, null);
    });
  });

  describe("validators", () => {
    it("are weak and never match while the file is fresh", async () => {
      handler.clock = { now: Date.now };
      handler.write({ "a/fresh.txt": "1" });
      const tag = (await get("fresh.txt", {}, "HEAD")).headers.get("etag") ?? "";
      assert.match(tag, /^W\//);
      const again = await get("fresh.txt", { "if-none-match": tag });
      assert.equal(again.status, 200);
      await again.body?.cancel();
    });

    for (const [what, mtime] of [["0", 0], ["-1", -1], ["in the year 2100", 4_102_444_800]]) {
      it(`are sound when the modification time is ${what}`, async () => {
        settle();
        handler.write({ "a/pinned.txt": "1" });
        const date = new Date(Number(mtime) * 1000);
        utimesSync(join(root, "pinned.txt"), date, date);
        const { headers } = await get("pinned.txt", {}, "HEAD");
        const modified = Date.parse(headers.get("last-modified") ?? "");
        assert.ok(modified <= Date.parse(headers.get("date") ?? ""));
        if (Number(mtime) < 1e9) assert.equal(modified, Number(mtime) * 1000);
        assert.match(headers.get("etag") ?? "", /^"/);
      });
    }
  });

  describe("paths", () => {
    it("name files below the root", async () => {
      assert.equal(await (await get("sub/index.html")).text(), "sub");
      assert.equal(await (await get("/sub//index.html/")).text(), "sub");
      assert.equal(await (await get("sub%2Findex.html")).text(), "sub");
      assert.equal(await (await get("./f.txt")).text(), "0123456789");
    });

    for (const path of ["absent.txt", "sub", "sub/", "f.txt/x", "a".repeat(300)]) {
      it(`miss at ${path.slice(0, 20)}`, async () => {
        assert.equal(await outcome(path), "404 not_found");
      });
    }

    for (
      const path of [
        "../b/secret.txt",
        "%2e%2e/b/secret.txt",
        "..%2fb%2fsecret.txt",
        "sub/../f.txt",
        "../absent",
        ".env",
        "%2eenv",
        ".git/config",
        ".absent",
        "sub/.absent/x",
        "...",
      ]
    ) {
      it(`are forbidden at ${path}, there or not`, async () => {
        assert.equal(await outcome(path), "403 forbidden");
      });
    }

    for (const path of ["a%5cb", "a%00", "%ff", "%c0%ae", "%", "a%0a", "..%5cx", "%7f"]) {
      it(`are bad at ${path}`, async () => assert.equal(await outcome(path), "400 bad_request"));
    }

    it("are bytes as given, in whatever Unicode form", async () => {
      handler.write({ "a/\u00fc.txt": "composed", "a/u\u0308.txt": "decomposed" });
      assert.equal(await (await get("%C3%BC.txt")).text(), "composed");
      assert.equal(await (await get("u%CC%88.txt")).text(), "decomposed");
    });

    it("don't reach what the SDK's names shadow", async () => {
      handler.write({ "a/holon.js": "mine", "a/request": "mine", "a/sub/holon.js": "mine" });
      assert.equal(await (await get("holon.js")).text(), "/* classic */");
      assert.equal(await outcome("holon%2Ejs"), "404 not_found");
      assert.equal(await outcome("request"), "405 method_not_allowed");
      assert.equal(await (await get("sub/holon.js")).text(), "mine");
    });

    it("give the SDK as a module unless the app has one", async () => {
      assert.equal(await (await get("holon.mjs")).text(), "/* module */");
      handler.write({ "a/holon.mjs": "mine" });
      assert.equal(await (await get("holon.mjs")).text(), "mine");
    });
  });

  describe("links", () => {
    it("may stay inside the app", async () => {
      link("in.txt", "f.txt");
      link("subdir", "sub");
      link("absolute.txt", join(root, "f.txt"));
      assert.equal(await (await get("in.txt")).text(), "0123456789");
      assert.equal(await (await get("subdir/index.html")).text(), "sub");
      assert.equal(await (await get("absolute.txt")).text(), "0123456789");
    });

    it("take the type of what they lead to", async () => {
      link("page.bin", "f.txt");
      const response = await get("page.bin", {}, "HEAD");
      assert.equal(response.headers.get("content-type"), "text/plain; charset=utf-8");
    });

    const astray: Record<string, string> = {
      "out.txt": "../b/secret.txt",
      "out_absent.txt": "../b/absent.txt",
      "out_dir": "../b",
      "etc": "/etc",
      "etc_absent": "/etc/absent/file",
      "zero": "/dev/zero",
      "hidden.txt": ".env",
      "hidden_absent.txt": ".absent",
      "via_hidden.txt": ".git/../f.txt",
    };
    for (const [name, target] of Object.entries(astray)) {
      // The kernel follows this one to a visible file: nothing hidden is shown.
      const expected = name === "via_hidden.txt" ? "200" : "403 forbidden";
      it(`give ${expected} when they lead to ${target}`, async () => {
        link(name, target);
        assert.equal(await outcome(name), expected);
        if (name === "out_dir") assert.equal(await outcome(`${name}/secret.txt`), expected);
      });
    }

    for (
      const [name, target] of [
        ["dangling", "absent"],
        ["dangling_deep", "sub/../absent/x"],
        ["loop", "loop"],
        ["todir", "sub"],
      ] as const
    ) {
      it(`miss when they lead to ${target}`, async () => {
        link(name, target);
        assert.equal(await outcome(name), "404 not_found");
      });
    }
  });

  describe("the size limit", () => {
    before(() => handler.settings = { ...OPEN_SETTINGS, maxAssetBytes: 10 });
    after(() => handler.settings = OPEN_SETTINGS);

    it("allows exactly as much", async () => assert.equal(await outcome("f.txt"), "200"));
    it("counts the whole file, for ranges and HEAD too", async () => {
      handler.write({ "a/eleven.txt": "0123456789x" });
      const refused = "413 app_asset_too_large";
      assert.equal(await outcome("eleven.txt"), refused);
      assert.equal(await outcome("eleven.txt", { range: "bytes=0-0" }), refused);
      assert.equal(await outcome("eleven.txt", {}, "HEAD"), refused);
    });
    it("holds for entry pages and leaves the app listed", async () => {
      handler.write({ "big/index.html": "0123456789x" });
      assert.equal(
        await outcomeOf(await handler.fetch("/apps/main/big/")),
        "413 app_asset_too_large",
      );
      assert.ok((await handler.apps.list("main")).some(({ id }) => id === "big"));
    });
  });

  describe("the strict profile", () => {
    before(() => {
      handler.settings = STRICT_SETTINGS;
      const manifest = { id: "s", name: "S", version: "1", entry: "index.html" };
      handler.write({
        "s/manifest.json": JSON.stringify(manifest),
        "s/index.html": "S",
        "s/a.wasm": "x",
        "s/LICENSE": "x",
        "s/large.js": "",
      });
      truncateSync(join(handler.home, "agents/main/apps/s/large.js"), 8 * 1024 * 1024 + 1);
    });
    after(() => handler.settings = OPEN_SETTINGS);
    const strict = (path: string) => handler.fetch(`/apps/main/s/${path}`);

    it("requires a manifest", async () => {
      assert.equal(await outcome(""), "422 invalid_app_manifest");
      assert.deepEqual((await handler.apps.list("main")).map(({ id }) => id), ["s"]);
    });
    it("sends its policy", async () => {
      const response = await strict("");
      assert.match(response.headers.get("content-security-policy") ?? "", /^default-src 'self'/);
      assert.equal(await response.text(), "S");
    });
    it("serves listed types up to 8 MiB only", async () => {
      assert.equal(await outcomeOf(await strict("a.wasm")), "415 unsupported_app_asset_type");
      assert.equal(await outcomeOf(await strict("LICENSE")), "415 unsupported_app_asset_type");
      assert.equal(await outcomeOf(await strict("large.js")), "413 app_asset_too_large");
    });
  });

  describe("permits", () => {
    it("are refused with 503 when all are taken, but not for answers without a body", async () => {
      settle();
      const tag = (await get("f.txt", {}, "HEAD")).headers.get("etag") ?? "";
      const held = await Promise.all(Array.from({ length: 16 }, () => get("big.bin")));
      assert.equal(handler.permits.free, 0);
      const busy = await get("f.txt");
      assert.equal(busy.headers.get("retry-after"), "1");
      assert.equal(await outcomeOf(busy), "503 app_asset_busy");
      assert.equal(await outcome("f.txt", {}, "HEAD"), "200");
      assert.equal(await outcome("f.txt", { "if-none-match": tag }), "304");
      assert.equal(await outcome("f.txt", { range: "bytes=99-" }), "416");
      assert.equal(await outcome("f.txt", { "if-match": '"x"' }), "412 precondition_failed");
      assert.equal(await outcome("absent"), "404 not_found");
      assert.equal(await outcome("empty.txt"), "200");
      assert.equal(await outcome("context"), "200");
      const [first, ...others] = held;
      assert.equal((await first?.arrayBuffer())?.byteLength, 200_000);
      assert.equal(handler.permits.free, 1);
      await Promise.all(others.map((response) => response.body?.cancel()));
      assert.equal(handler.permits.free, 16);
    });
  });

  describe("a file that changes while it is sent", () => {
    it("sends no more than it was when it grows", async () => {
      const response = await get("big.bin");
      writeFileSync(join(root, "big.bin"), new Uint8Array(300_000), { flag: "r+" });
      assert.equal((await response.arrayBuffer()).byteLength, 200_000);
    });
    it("breaks off when it is rewritten", async () => {
      const response = await get("big.bin");
      const { mtimeMs } = statSync(join(root, "big.bin"));
      writeFileSync(join(root, "big.bin"), new Uint8Array(200_000), { flag: "r+" });
      utimesSync(join(root, "big.bin"), new Date(), new Date(mtimeMs + 1000));
      await assert.rejects(response.arrayBuffer());
      assert.equal(handler.permits.free, 16);
    });
    it("sends its version when another is renamed over it", async () => {
      const response = await get("big.bin");
      writeFileSync(join(root, "other.bin"), new Uint8Array(200_000).fill(2));
      renameSync(join(root, "other.bin"), join(root, "big.bin"));
      assert.ok(new Uint8Array(await response.arrayBuffer()).every((byte) => byte !== 2));
    });
    it("breaks off when it becomes shorter", async () => {
      const response = await get("big.bin");
      truncateSync(join(root, "big.bin"), 100_000);
      await assert.rejects(response.arrayBuffer());
      assert.equal(handler.permits.free, 16);
    });
  });

  describe("what is no regular file", () => {
    it("misses at once and holds no permit", async () => {
      execFileSync("mkfifo", [join(root, "pipe.js")]);
      mkdirSync(join(handler.home, "agents/main/apps/fe"));
      mkdirSync(join(handler.home, "agents/main/apps/fm"));
      execFileSync("mkfifo", [join(handler.home, "agents/main/apps/fe/index.html")]);
      execFileSync("mkfifo", [join(handler.home, "agents/main/apps/fm/manifest.json")]);
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(join(root, "s.sock"), resolve));
      try {
        const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcome("pipe.js")));
        assert.deepEqual(new Set(outcomes), new Set(["404 not_found"]));
        assert.equal(await outcome("pipe.js", {}, "HEAD"), "404 not_found");
        assert.equal(await outcome("s.sock"), "404 not_found");
        const fifo = (path: string) => handler.fetch(path).then(outcomeOf);
        assert.equal(await fifo("/apps/main/fe/"), "404 not_found");
        assert.equal(await fifo("/apps/main/fm/"), "422 invalid_app_manifest");
        assert.equal(await fifo("/apps/main"), "200");
        assert.equal(handler.permits.free, 16);
      } finally {
        await new Promise((resolve) => server.close(resolve));
      }
    });
  });

  it("raises nothing unexpected", () => assert.deepEqual(handler.unexpected, []));
});
