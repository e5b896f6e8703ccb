import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Listener } from "../../src/host/types.ts";
import { parseHttpDate } from "../../src/http/http_date.ts";
import { type AppHandler, createAppHandler } from "../support/app_handler.ts";
import { type KeptConnection, keptConnection } from "../support/kept_connection.ts";
import type { RawResponse } from "../support/raw_http.ts";
import { startScript } from "../support/runtime.ts";

describe("bug reports about sending files", () => {
  let handler: AppHandler;
  let listener: Listener;
  let client: KeptConnection;
  let port: number;
  before(async () => {
    handler = createAppHandler();
    ({ port, listener } = await handler.listen());
    client = keptConnection(port);
  });
  after(async () => {
    client.close();
    await listener.close(0);
    handler.remove();
  });

  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    client.send(`/apps/main/${path}`, headers, method);
  const place = (path: string) => join(handler.home, "agents/main/apps", path);
  const realTime = () => handler.clock = { now: Date.now };
  /** The clock goes ahead, so that what was just written can be trusted. */
  const later = () => handler.clock = { now: () => Date.now() + 60_000 };
  const tagOf = (response: RawResponse) => response.header("etag") ?? "";
  const replace = (path: string, content: string | Uint8Array, modified?: Date) => {
    writeFileSync(place(`${path}.tmp`), content);
    if (modified !== undefined) utimesSync(place(`${path}.tmp`), modified, modified);
    renameSync(place(`${path}.tmp`), place(path));
  };
  const overwrite = (path: string, content: string) => {
    const file = openSync(place(path), "r+");
    writeSync(file, content, 0);
    closeSync(file);
  };

  it("BR-01: a range tells the size of the whole file", async () => {
    const bytes = new Uint8Array(2_194_624).map((_, index) => index % 251);
    handler.write({ "vid/index.html": "<p>v", "vid/clip.mp4": bytes });
    later();
    const probe = await get("vid/clip.mp4", { range: "bytes=0-1" });
    assert.equal(probe.status, 206);
    assert.equal(probe.header("content-range"), "bytes 0-1/2194624");
    assert.equal(probe.header("content-length"), "2");
    assert.equal(probe.header("content-type"), "video/mp4");
    assert.equal(probe.header("accept-ranges"), "bytes");
    assert.deepEqual([...probe.body], [0, 1]);
    const all = await get("vid/clip.mp4", { range: "bytes=0-" });
    assert.equal(all.header("content-range"), "bytes 0-2194623/2194624");
    assert.deepEqual(new Uint8Array(all.body), bytes);
    const tail = await get("vid/clip.mp4", {
      range: "bytes=2162688-2194623",
      "if-range": tagOf(probe),
    });
    assert.deepEqual([tail.status, tail.body.length], [206, 31_936]);
    const last = await get("vid/clip.mp4", { range: "bytes=2194623-" });
    assert.deepEqual([last.status, ...last.body], [206, bytes[2_194_623]]);
  });

  for (const [when, setClock] of [["at once", realTime], ["later", later]] as const) {
    it(`BR-03: a resumed download never stitches two versions together, ${when}`, async () => {
      setClock();
      handler.write({ "dl/index.html": "<p>d", "dl/f.bin": "A".repeat(400_000) });
      const first = await get("dl/f.bin", { range: "bytes=0-199999" });
      assert.equal(first.status, 206);
      replace("dl/f.bin", "B".repeat(400_000), new Date(Date.now() + 10_000));
      for (const validator of [tagOf(first), first.header("last-modified") ?? ""]) {
        const whole = await get("dl/f.bin", { range: "bytes=200000-", "if-range": validator });
        assert.equal(whole.status, 200);
        assert.equal(whole.header("content-length"), "400000");
        assert.equal(whole.header("content-range"), null);
        assert.equal(whole.text(), "B".repeat(400_000));
      }
      later();
      const tag = tagOf(await get("dl/f.bin", {}, "HEAD"));
      const rest = await get("dl/f.bin", { range: "bytes=200000-", "if-range": tag });
      assert.equal(rest.status, 206);
      assert.equal(rest.text(), "B".repeat(200_000));
    });
  }

  it("BR-05: length, tag and bytes are of one version while a file is edited", async () => {
    realTime();
    const version = (n: number) => `// ${n} ${"x".repeat(n % 97)}\n`;
    handler.write({ "edit/index.html": "<p>e", "edit/c.js": version(0) });
    const tags = new Map<string, string>();
    const check = (response: RawResponse): number => {
      const text = response.text();
      const n = Number(/^\/\/ (\d+) /.exec(text)?.[1]);
      assert.equal(text, version(n), "one complete version");
      assert.equal(response.header("content-length"), String(text.length));
      const known = tags.get(tagOf(response)) ?? text;
      assert.equal(known, text, "a tag stands for one version");
      tags.set(tagOf(response), text);
      return n;
    };
    let editing = true;
    const other = keptConnection(port);
    const reading = (async () => {
      while (editing) check(await other.send("/apps/main/edit/c.js"));
    })();
    for (let n = 1; n <= 200; n++) {
      if (n % 10 === 0) writeFileSync(place("edit/c.js"), version(n));
      else replace("edit/c.js", version(n));
      assert.ok(check(await get("edit/c.js")) >= n);
    }
    editing = false;
    await reading;
    other.close();
  });

  it("BR-05: a file that another program rewrites in place is sent whole", async () => {
    realTime();
    handler.write({ "live/index.html": "<p>l", "live/c.txt": "0:\n" });
    const script = startScript("test/support/rewriting_script.ts", {
      args: [place("live/c.txt"), "200"],
    });
    let ended = false;
    script.exited.then(() => ended = true);
    let count = 0;
    for (; !ended; count++) {
      const text = (await get("live/c.txt")).text();
      const length = Number(/^(\d+):/.exec(text)?.[1]);
      assert.equal(text, `${length}:${"x".repeat(length)}\n`);
    }
    assert.equal(await script.exited, 0);
    assert.ok(count > 50);
  });

  it("BR-05: a large file that is rewritten while it is sent breaks off", async () => {
    const size = 32 * 1024 * 1024;
    handler.write({ "live/big.bin": "" });
    truncateSync(place("live/big.bin"), size);
    utimesSync(place("live/big.bin"), 1, 1);
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /apps/main/live/big.bin HTTP/1.1\r\nHost: localhost\r\n\r\n");
    // Not read from, so that the server stops where the kernel takes no more.
    await new Promise((resolve) => socket.once("readable", resolve));
    overwrite("live/big.bin", "another version");
    const ended = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    let received = 0;
    socket.on("data", (bytes) => received += bytes.length);
    await ended;
    assert.ok(received < size, `${received} bytes`);
  });

  it("BR-06: nothing is compressed, so a range is one of the file's own bytes", async () => {
    const text = Array.from({ length: 125_000 }, (_, n) => String(n).padStart(7, "0") + "\n").join(
      "",
    );
    handler.write({ "zip/index.html": "<p>z", "zip/t.txt": text });
    later();
    const codings = { "accept-encoding": "gzip, br, zstd" };
    const whole = await get("zip/t.txt", codings);
    assert.equal(whole.header("content-encoding"), null);
    assert.equal(whole.header("content-length"), "1000000");
    for (const extra of [{}, { "if-range": tagOf(whole) }]) {
      const part = await get("zip/t.txt", { range: "bytes=1000-1999", ...codings, ...extra });
      assert.equal(part.status, 206);
      assert.equal(part.header("content-encoding"), null);
      assert.equal(part.header("content-range"), "bytes 1000-1999/1000000");
      assert.equal(part.text(), text.slice(1000, 2000));
    }
    assert.equal((await get("zip/t.txt", codings, "HEAD")).header("content-length"), "1000000");
  });

  it("BR-06: a range of a precompressed file is one of the bytes that are sent", async () => {
    const text = "0123456\n".repeat(125_000);
    const packed = gzipSync(text);
    handler.write({ "packed/index.html": "<p>z", "packed/t.txt": text, "packed/t.txt.gz": packed });
    later();
    const whole = await get("packed/t.txt", { "accept-encoding": "gzip, br, zstd" });
    assert.equal(whole.header("content-encoding"), "gzip");
    assert.equal(whole.header("content-length"), String(packed.byteLength));
    assert.match(whole.header("vary") ?? "", /accept-encoding/i);
    const condition = { "if-range": tagOf(whole), range: "bytes=10-19" };
    const part = await get("packed/t.txt", { "accept-encoding": "gzip", ...condition });
    assert.equal(part.status, 206);
    assert.equal(part.header("content-encoding"), "gzip");
    assert.equal(part.header("content-range"), `bytes 10-19/${packed.byteLength}`);
    assert.equal(digest(part.body), digest(packed.subarray(10, 20)));
    const other = await get("packed/t.txt", { "accept-encoding": "identity", ...condition });
    assert.deepEqual([other.status, other.text()], [200, text]);
    const known = { "accept-encoding": "identity", "if-none-match": tagOf(whole) };
    const plain = await get("packed/t.txt", known);
    assert.deepEqual([plain.status, plain.header("content-encoding")], [200, null]);
    assert.notEqual(tagOf(plain), tagOf(whole));
  });

  for (const way of ["in place", "by rename"]) {
    it(`BR-10: a rewrite of the same size within a tick is seen, ${way}`, async () => {
      realTime();
      const [one, two] = ["A".repeat(64), "B".repeat(64)];
      const write = (content: string) =>
        way === "in place" ? overwrite("tick/v.txt", content) : replace("tick/v.txt", content);
      handler.write({ "tick/index.html": "<p>t", "tick/v.txt": one });
      for (let round = 0; round < 300; round++) {
        write(one);
        const first = await get("tick/v.txt");
        assert.equal(first.text(), one);
        write(two);
        const second = await get("tick/v.txt", { "if-none-match": tagOf(first) });
        assert.deepEqual([second.status, second.text()], [200, two]);
        const part = { range: "bytes=32-", "if-range": tagOf(first) };
        const third = await get("tick/v.txt", part);
        assert.deepEqual([third.status, third.text()], [200, two]);
      }
      // Nor is the tag of that moment ever taken for the version that stayed.
      const early = await get("tick/v.txt");
      later();
      const late = await get("tick/v.txt", { "if-none-match": tagOf(early) });
      assert.equal(late.status, 200);
    });
  }

  for (const seconds of [1, 0, -1, 4_102_444_800]) {
    it(`BR-11: a replaced file is new though its time is pinned to ${seconds}`, async () => {
      const pinned = new Date(seconds * 1000);
      handler.write({ "nix/index.html": "<p>n" });
      replace("nix/a.js", "one!", pinned);
      later();
      const first = await get("nix/a.js");
      const modified = first.header("last-modified") ?? "";
      const now = parseHttpDate(first.header("date") ?? "", 0) ?? 0;
      assert.ok((parseHttpDate(modified, now) ?? Infinity) <= now);
      replace("nix/a.js", "two!", pinned);
      const byTag = { "if-none-match": tagOf(first) };
      for (const headers of [byTag, { ...byTag, "if-modified-since": modified }]) {
        const second = await get("nix/a.js", headers);
        assert.deepEqual([second.status, second.text()], [200, "two!"]);
      }
    });
  }

  it("BR-23: a coding goes out with the inner type, to clients that accept it, or not at all", async () => {
    const wasm = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    const script = new TextEncoder().encode("self.ok=1");
    const files: Record<string, Uint8Array> = {
      "a.wasm": wasm,
      "a.wasm.gz": gzipSync(wasm),
      "a.framework.js": script,
      "a.framework.js.gz": gzipSync(script),
      "a.framework.js.br": brotliCompressSync(script),
      "a.framework.js.unityweb": gzipSync(script),
      "a.data": randomBytes(100_000),
    };
    handler.write({ "un/index.html": "U" });
    for (const [name, bytes] of Object.entries(files)) {
      handler.write({ [`un/Build/${name}`]: bytes });
    }
    const types: Record<string, string> = {
      "a.wasm": "application/wasm",
      "a.framework.js": "text/javascript; charset=utf-8",
      "a.data": "application/octet-stream",
      "a.framework.js.unityweb": "application/octet-stream",
    };
    const sidecars: Record<string, readonly [coding: string, name: string]> = {
      "a.wasm": ["gzip", "a.wasm.gz"],
      "a.framework.js": ["br", "a.framework.js.br"],
    };
    for (const name of Object.keys(files)) {
      for (
        const headers of [
          { "accept-encoding": "gzip, br" },
          { "accept-encoding": "identity" },
          {} as Record<string, string>,
        ]
      ) {
        const response = await get(`un/Build/${name}`, headers);
        const accepts = headers["accept-encoding"] === "gzip, br";
        const [coding, sent] = (accepts ? sidecars[name] : undefined) ?? [null, name];
        const bytes = readFileSync(place(`un/Build/${sent}`));
        assert.equal(response.header("content-encoding"), coding, name);
        assert.equal(response.header("content-length"), String(bytes.length), name);
        assert.equal(digest(response.body), digest(bytes), name);
        assert.equal(response.header("x-content-type-options"), "nosniff");
        if (name in types) assert.equal(response.header("content-type"), types[name]);
      }
    }
    const part = await get("un/Build/a.data", { range: "bytes=10-19" });
    assert.deepEqual(
      new Uint8Array(part.body),
      new Uint8Array(files["a.data"]?.subarray(10, 20) ?? []),
    );
  });

  it("leave every permit free and raise nothing", () => {
    assert.equal(handler.permits.free, handler.permits.limit);
    assert.deepEqual(handler.unexpected, []);
  });
});

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
