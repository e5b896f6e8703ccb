import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Listener } from "../../src/host/types.ts";
import { type AppHandler, createAppHandler, outcomeOf } from "../support/app_handler.ts";
import {
  rawConnect,
  type RawConnection,
  rawRequest,
  type RawResponse,
} from "../support/raw_http.ts";
import { tempDirectory } from "../support/temp_home.ts";

describe("bug reports about folders and names", () => {
  let handler: AppHandler;
  let listener: Listener;
  let port: number;
  let apps: string;
  before(async () => {
    handler = createAppHandler();
    apps = join(handler.home, "agents/main/apps");
    handler.write({ "start/index.html": "S" });
    ({ port, listener } = await handler.listen());
  });
  after(async () => {
    await listener.close(0);
    handler.remove();
  });

  const send = (target: string, method = "GET"): Promise<RawResponse> =>
    rawRequest({ port }, `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const status = async (target: string, method?: string) => (await send(target, method)).status;
  const text = async (target: string) => (await send(target)).text();

  it("BR-13: a sibling whose name begins alike is outside", async () => {
    const old = `${handler.home}-old`;
    mkdirSync(old);
    writeFileSync(join(old, "s.txt"), "CANARY-HOME");
    handler.write({
      "app/index.html": "A",
      "app-private/index.html": "P",
      "app-private/s.txt": "CANARY-SIBLING",
    });
    symlinkSync("../app-private/s.txt", join(apps, "app/peek.txt"));
    symlinkSync("../app-private", join(apps, "app/dir"));
    symlinkSync(join(old, "s.txt"), join(apps, "app/up.txt"));
    try {
      for (
        const path of [
          "app/peek.txt",
          "app/dir/s.txt",
          "app/up.txt",
          "app/../app-private/s.txt",
          "app/%2e%2e/app-private/s.txt",
        ]
      ) {
        const response = await send(`/apps/main/${path}`);
        assert.equal(response.status, 403, path);
        assert.equal(response.json().code, "forbidden");
        assert.ok(!response.text().includes("CANARY"));
      }
      assert.equal(await text("/apps/main/app-private/s.txt"), "CANARY-SIBLING");
    } finally {
      rmSync(old, { recursive: true });
    }
  });

  for (const name of ["real", "dir with % ü", "a..b"]) {
    it(`BR-15: a home that is reached by a link works: ${name}`, async () => {
      const folder = realpathSync(tempDirectory().path);
      const real = join(folder, name);
      mkdirSync(real);
      symlinkSync(real, join(folder, "LINK"));
      const paths = [real, join(folder, "LINK"), `${folder}/LINK/`, `${folder}/LINK/../LINK`];
      for (const home of paths) {
        const linked = createAppHandler(home);
        linked.write({ "a/index.html": "A", "a/s.txt": "S", "a/d/f.txt": "F" });
        rmSync(join(real, "agents/main/apps/a/in.txt"), { force: true });
        rmSync(join(real, "agents/main/apps/a/dl"), { force: true });
        symlinkSync("s.txt", join(real, "agents/main/apps/a/in.txt"));
        symlinkSync("d", join(real, "agents/main/apps/a/dl"));
        const read = async (path: string) =>
          await (await linked.fetch(`/apps/main/a/${path}`)).text();
        assert.deepEqual(
          await Promise.all(["", "s.txt", "in.txt", "dl/f.txt"].map(read)),
          ["A", "S", "S", "F"],
        );
        assert.ok(!(await read("absent")).includes(folder));
        assert.equal(await outcomeOf(await linked.fetch("/apps/main")), "200");
      }
      rmSync(folder, { recursive: true });
    });
  }

  it("BR-17: a name is decoded exactly once", async () => {
    const names = ["50%.png", "a%20b.txt", "a b.txt", "a%2fb.txt", "%2e%2e"];
    handler.write({ "p/index.html": "P", "secret.txt": "CANARY" });
    for (const name of names) handler.write({ [`p/${name}`]: name });
    for (const name of names) {
      assert.equal(await text(`/apps/main/p/${encodeURIComponent(name)}`), name);
    }
    const picture = await send("/apps/main/p/50%25.png");
    assert.equal(picture.header("content-type"), "image/png");
    assert.equal(await status("/apps/main/p/%252e%252e%252fsecret.txt"), 404);
    assert.equal(await status("/apps/main/p/50%.png"), 400);
    assert.equal(await text("/apps/main/p/"), "P");
  });

  it("BR-19: one name that isn't UTF-8 doesn't hide the rest", async () => {
    handler.write({ "good/index.html": "G", "good/ok.txt": "OK" });
    const script = `mkdir "$1/$(printf 'bad\\377')" && echo B > "$1/$(printf 'bad\\377')/index.html"
      echo X > "$1/good/$(printf '\\377\\001').txt"; mkdir "$2/$(printf 'ag\\376')"`;
    execFileSync("sh", ["-c", script, "sh", apps, join(handler.home, "agents")]);
    const list = (await send("/apps/main")).json() as { apps: { id: string }[] };
    const ids = list.apps.map(({ id }) => id);
    assert.ok(ids.includes("good"));
    assert.ok(ids.every((id) => /^[\w.-]+$/.test(id)));
    assert.equal(await text("/apps/main/good/ok.txt"), "OK");
    assert.equal(await status("/apps/main/good/%FF%01.txt"), 400);
    assert.equal(await status("/apps/main/bad%FF/"), 400);
  });

  it("BR-21: a FIFO, a socket or a device blocks nobody and holds no permit", async () => {
    handler.write({ "ff/index.html": "F", "ff/a.txt": "A", "large/index.html": "L" });
    handler.write({ "large/f.bin": new Uint8Array(8 * 1024 * 1024) });
    mkdirSync(join(apps, "fm"));
    mkdirSync(join(apps, "fe"));
    writeFileSync(join(apps, "fm/index.html"), "M");
    for (const path of ["ff/pipe.js", "fm/manifest.json", "fe/index.html"]) {
      execFileSync("mkfifo", [join(apps, path)]);
    }
    symlinkSync("/dev/zero", join(apps, "ff/zero"));
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(join(apps, "ff/s.sock"), resolve));
    const downloads: RawConnection[] = [];
    try {
      const fifos = Array.from({ length: 20 }, () => status("/apps/main/ff/pipe.js"));
      assert.equal(await text("/apps/main/ff/a.txt"), "A");
      assert.deepEqual(new Set(await Promise.all(fifos)), new Set([404]));
      assert.equal(await status("/apps/main/ff/s.sock"), 404);
      assert.equal(await status("/apps/main/ff/pipe.js", "HEAD"), 404);
      assert.equal(await status("/apps/main/ff/zero"), 403);
      assert.equal(await status("/apps/main"), 200);
      assert.equal(await status("/apps/main/fm/"), 422);
      assert.equal(await status("/apps/main/fe/"), 404);
      for (let count = 0; count < 16; count++) {
        const connection = await rawConnect({ port });
        connection.pause();
        connection.write("GET /apps/main/large/f.bin HTTP/1.1\r\nHost: localhost\r\n\r\n");
        downloads.push(connection);
      }
      await until(() => handler.permits.free === 0);
      assert.equal(await status("/apps/main/ff/a.txt"), 503);
    } finally {
      for (const connection of downloads) connection.reset();
      await new Promise((resolve) => socket.close(resolve));
    }
    await until(() => handler.permits.free === 16);
  });

  it("BR-47: a manifest may begin with a byte order mark, but not be UTF-16", async () => {
    const manifest = (id: string) =>
      `{"id":"${id}",\r\n"name":"B","version":"1","entry":"start.html"}`;
    handler.write({
      "bom/manifest.json": `\ufeff${manifest("bom")}`,
      "bom/start.html": "START",
      "bom/index.html": "WRONG",
      "u16/manifest.json": utf16(manifest("u16")),
      "u16/index.html": "WRONG",
    });
    assert.equal(await text("/apps/main/bom/"), "START");
    const list = (await send("/apps/main")).json() as { apps: { id: string }[] };
    assert.ok(list.apps.some(({ id }) => id === "bom"));
    const file = await send("/apps/main/bom/manifest.json");
    assert.deepEqual([...file.body.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    const refused = await send("/apps/main/u16/");
    assert.equal(refused.status, 422);
    assert.equal(refused.json().code, "invalid_app_manifest");
  });

  it("raise nothing", () => assert.deepEqual(handler.unexpected, []));
});

function utf16(text: string): Uint8Array {
  const units = [...`\ufeff${text}`].map((char) => char.charCodeAt(0));
  return new Uint8Array(units.flatMap((unit) => [unit & 0xff, unit >> 8]));
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    assert.ok(Date.now() < deadline, "waited too long");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
