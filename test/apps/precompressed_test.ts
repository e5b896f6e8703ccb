import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import {
  type AppHandler,
  createAppHandler,
  OPEN_SETTINGS,
  outcomeOf,
  STRICT_SETTINGS,
} from "../support/app_handler.ts";

const TEXT = Array.from({ length: 5000 }, (_, n) => `line ${n}\n`).join("");
const BR = brotliCompressSync(TEXT);
const GZIP = gzipSync(TEXT);
/** As good as any: nothing here decodes it. */
const ZSTD = new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]);
const CHROME = "gzip, deflate, br, zstd";

describe("precompressed files", () => {
  let handler: AppHandler;
  let root: string;
  before(() => {
    handler = createAppHandler();
    root = join(handler.home, "agents/main/apps/a");
    writeFileSync(join(handler.home, "secret.br"), "CANARY");
  });
  beforeEach(() => {
    handler.settings = OPEN_SETTINGS;
    handler.clock = { now: () => Date.now() + 60_000 };
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root, { recursive: true });
    handler.write({ "a/index.html": "<p>A", "a/t.js": TEXT });
  });
  after(() => handler.remove());

  const beside = (files: Record<string, Uint8Array>) => {
    for (const [extension, bytes] of Object.entries(files)) {
      writeFileSync(join(root, `t.js.${extension}`), bytes);
    }
  };
  const age = (name: string, seconds: number) => {
    const date = new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
    utimesSync(join(root, name), date, date);
  };
  const get = (path: string, accept: string | null, headers = {}, method = "GET") =>
    handler.fetch(`/apps/main/a/${path}`, {
      method,
      headers: { ...headers, ...(accept === null ? {} : { "accept-encoding": accept }) },
    });
  const codingOf = async (accept: string | null, path = "t.js") => {
    const response = await get(path, accept, {}, "HEAD");
    return [response.headers.get("content-encoding"), response.headers.get("vary")];
  };

  it("are sent in their coding, with the type of what they hold", async () => {
    beside({ br: BR, gz: GZIP });
    const response = await get("t.js", CHROME);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-encoding"), "br");
    assert.equal(response.headers.get("content-type"), "text/javascript; charset=utf-8");
    assert.equal(response.headers.get("content-length"), String(BR.byteLength));
    assert.equal(response.headers.get("vary"), "accept-encoding");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.equal(brotliDecompressSync(await response.arrayBuffer()).toString(), TEXT);
    const zipped = await get("t.js", "gzip");
    assert.equal(zipped.headers.get("content-encoding"), "gzip");
    assert.equal(gunzipSync(await zipped.arrayBuffer()).toString(), TEXT);
  });

  it("are chosen as the client weighs them, else brotli, zstd, gzip", async () => {
    beside({ br: BR, gz: GZIP, zst: ZSTD });
    const vary = "accept-encoding";
    assert.deepEqual(await codingOf(CHROME), ["br", vary]);
    assert.deepEqual(await codingOf("gzip, zstd"), ["zstd", vary]);
    assert.deepEqual(await codingOf("gzip, br;q=0.9"), ["gzip", vary]);
    assert.deepEqual(await codingOf("br;q=0, *"), ["zstd", vary]);
    assert.deepEqual(await codingOf("identity;q=0, gzip;q=0.1"), ["gzip", vary]);
    assert.deepEqual(await codingOf("identity"), [null, vary]);
    assert.deepEqual(await codingOf("identity;q=0, br;q=0"), [null, vary]);
    assert.deepEqual(await codingOf(""), [null, vary]);
    assert.deepEqual(await codingOf(null), [null, vary]);
  });

  it("change nothing for a file that has none", async () => {
    writeFileSync(join(root, "other.br"), BR);
    assert.deepEqual(await codingOf(CHROME), [null, null]);
    assert.equal(await (await get("t.js", CHROME)).text(), TEXT);
  });

  it("work for the entry page and in subfolders", async () => {
    handler.write({ "a/index.html.br": BR, "a/sub/x.data": "x", "a/sub/x.data.gz": GZIP });
    assert.equal((await codingOf("br", ""))[0], "br");
    assert.equal((await codingOf("br", "index.html"))[0], "br");
    assert.equal((await codingOf("gzip", "sub/x.data"))[0], "gzip");
  });

  it("have a validator of their own", async () => {
    beside({ br: BR });
    const tags = new Map<string | null, string>();
    for (const accept of ["br", null]) {
      tags.set(accept, (await get("t.js", accept, {}, "HEAD")).headers.get("etag") ?? "");
    }
    assert.notEqual(tags.get("br"), tags.get(null));
    for (const accept of ["br", null]) {
      for (const known of ["br", null]) {
        const condition = { "if-none-match": tags.get(known) };
        const response = await get("t.js", accept, condition, "HEAD");
        assert.equal(response.status, accept === known ? 304 : 200);
        assert.equal(response.headers.get("vary"), "accept-encoding");
        if (response.status === 304) assert.equal(response.headers.get("content-encoding"), null);
      }
    }
  });

  it("are never vouched for by a date, which a compressing tool copies", async () => {
    beside({ br: BR });
    age("t.js", 0);
    age("t.js.br", 0);
    const date = (await get("t.js", "br", {}, "HEAD")).headers.get("last-modified") ?? "";
    const part = await get("t.js", null, { range: "bytes=0-3", "if-range": date });
    assert.equal(part.status, 200);
    await part.body?.cancel();
    const same = await get("t.js", null, { "if-modified-since": date }, "HEAD");
    assert.equal(same.status, 200);
  });

  it("have ranges of what is sent", async () => {
    beside({ br: BR });
    const tag = (await get("t.js", "br", {}, "HEAD")).headers.get("etag") ?? "";
    const part = await get("t.js", "br", { range: "bytes=2-9", "if-range": tag });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get("content-range"), `bytes 2-9/${BR.byteLength}`);
    assert.equal(part.headers.get("content-encoding"), "br");
    assert.deepEqual(new Uint8Array(await part.arrayBuffer()), new Uint8Array(BR.subarray(2, 10)));
    const other = await get("t.js", null, { range: "bytes=2-9", "if-range": tag });
    assert.equal(other.status, 200);
    assert.equal(await other.text(), TEXT);
    const plain = await get("t.js", "identity", { range: "bytes=0-3" });
    assert.equal(plain.headers.get("content-range"), `bytes 0-3/${TEXT.length}`);
    assert.equal(await plain.text(), TEXT.slice(0, 4));
    const beyond = await get("t.js", "br", { range: `bytes=${BR.byteLength}-` });
    assert.equal(beyond.status, 416);
    assert.equal(beyond.headers.get("content-range"), `bytes */${BR.byteLength}`);
    assert.equal(beyond.headers.get("content-encoding"), null);
  });

  it("are plain downloads under their own names", async () => {
    beside({ br: BR, gz: GZIP, zst: ZSTD, "br.gz": GZIP, "gz.br": BR });
    for (const [extension, bytes] of Object.entries({ br: BR, gz: GZIP, zst: ZSTD })) {
      const response = await get(`t.js.${extension}`, CHROME);
      assert.equal(response.headers.get("content-encoding"), null);
      assert.equal(response.headers.get("vary"), null);
      assert.deepEqual(new Uint8Array(await response.arrayBuffer()), new Uint8Array(bytes));
    }
  });

  it("never code what is coded already, under whatever name", async () => {
    handler.write({ "a/x.unityweb": "x", "a/x.unityweb.br": BR, "a/y.gz": GZIP });
    symlinkSync("y.gz", join(root, "y.js"));
    writeFileSync(join(root, "y.js.br"), BR);
    assert.deepEqual(await codingOf(CHROME, "x.unityweb"), [null, null]);
    assert.deepEqual(await codingOf(CHROME, "y.js"), [null, null]);
  });

  it("count only if they are not older than the file", async () => {
    beside({ br: BR, gz: GZIP });
    age("t.js", 0);
    age("t.js.br", -1);
    age("t.js.gz", 0);
    assert.deepEqual(await codingOf(CHROME), ["gzip", "accept-encoding"]);
    age("t.js", 1);
    assert.deepEqual(await codingOf(CHROME), [null, "accept-encoding"]);
    assert.equal(await (await get("t.js", CHROME)).text(), TEXT);
  });

  const unsound: Record<string, (path: string) => void> = {
    "a folder": (path) => mkdirSync(path),
    "empty": (path) => writeFileSync(path, ""),
    "a link that leads out": (path) => symlinkSync("../../../../secret.br", path),
    "a link to a hidden file": (path) => {
      handler.write({ "a/.hidden": "CANARY" });
      symlinkSync(".hidden", path);
    },
    "a link to nowhere": (path) => symlinkSync("absent", path),
  };
  for (const [what, make] of Object.entries(unsound)) {
    it(`don't count where one is ${what}`, async () => {
      make(join(root, "t.js.br"));
      assert.equal(await (await get("t.js", "br")).text(), TEXT);
      assert.deepEqual(await codingOf("br"), [null, "accept-encoding"]);
    });
  }

  it("may be links inside the app", async () => {
    handler.write({ "a/packed/one": BR });
    symlinkSync("packed/one", join(root, "t.js.br"));
    assert.equal((await codingOf("br"))[0], "br");
  });

  it("need the file itself: alone they are nothing", async () => {
    handler.write({ "a/alone.js.br": BR });
    assert.equal(await outcomeOf(await get("alone.js", "br")), "404 not_found");
  });

  it("help no file over the limit, and are held to it themselves", async () => {
    beside({ br: BR, gz: new Uint8Array(TEXT.length + 1) });
    handler.settings = { ...OPEN_SETTINGS, maxAssetBytes: TEXT.length - 1 };
    assert.equal(await outcomeOf(await get("t.js", "br")), "413 app_asset_too_large");
    handler.settings = { ...OPEN_SETTINGS, maxAssetBytes: TEXT.length };
    assert.equal((await codingOf("br"))[0], "br");
    assert.equal((await codingOf("gzip"))[0], null);
  });

  it("are off where the setting or the strict profile says so", async () => {
    beside({ br: BR });
    const manifest = { id: "a", name: "A", version: "1", entry: "index.html" };
    handler.write({ "a/manifest.json": JSON.stringify(manifest) });
    for (const settings of [{ ...OPEN_SETTINGS, precompressed: false }, STRICT_SETTINGS]) {
      handler.settings = settings;
      assert.deepEqual(await codingOf("br"), [null, null]);
    }
    handler.settings = { ...STRICT_SETTINGS, precompressed: true };
    assert.equal((await codingOf("br"))[0], "br");
    assert.equal(await outcomeOf(await get("t.js.br", "br")), "415 unsupported_app_asset_type");
  });

  it("leave no permit and no handle behind, and raise nothing", async () => {
    beside({ br: BR, gz: GZIP });
    await Promise.all(Array.from({ length: 40 }, () => get("t.js", CHROME, {}, "HEAD")));
    const response = await get("t.js", CHROME);
    assert.equal(handler.permits.free, handler.permits.limit - 1);
    await response.body?.cancel();
    assert.equal(handler.permits.free, handler.permits.limit);
    assert.deepEqual(handler.unexpected, []);
  });
});
