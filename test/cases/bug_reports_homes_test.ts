/** BR-19 and BR-21 over a whole server: homes with what an unpacked archive may leave there. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { callJson } from "../support/json_client.ts";
import { get, rawConnect, type RawConnection, rawRequest } from "../support/raw_http.ts";
import { runtimeName } from "../support/runtime.ts";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";

describe("bug reports about homes", () => {
  let directory: TempDirectory;
  let home: string;
  let apps: string;
  let holon: ServedHolon | undefined;
  const connections: RawConnection[] = [];
  beforeEach(() => {
    directory = tempDirectory();
    home = join(directory.path, "home");
    apps = join(home, "agents", "main", "apps");
    mkdirSync(join(apps, "good"), { recursive: true, mode: 0o700 });
    writeFileSync(join(apps, "good/index.html"), "G");
    writeFileSync(join(apps, "good/ok.txt"), "OK");
  });
  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.close();
    await holon?.script.stop();
    directory.remove();
  });

  async function start(): Promise<ServedHolon> {
    return holon = await startHolon({ home, program: PROGRAMS[runtimeName] });
  }

  const target = () => ({ port: Number(new URL(holon!.url).port) });
  const read = (path: string, ...lines: string[]) => rawRequest(target(), get(path, ...lines));
  const idsIn = async (path: string, key: string): Promise<string[]> => {
    const { status, body } = await callJson(holon!.url, path);
    assert.equal(status, 200, path);
    return body[key].map(({ id }: { id: string }) => id);
  };

  it("BR-19: a name that isn't UTF-8 hides nothing, and keeps no server from starting", async () => {
    const script = `bad=$(printf 'bad\\377'); mkdir "$1/$bad" "$2/$(printf 'ag\\376')"
      echo B > "$1/$bad/index.html"; echo X > "$1/good/$(printf '\\377\\001').txt"`;
    execFileSync("sh", ["-c", script, "sh", apps, join(home, "agents")]);
    for (let run = 0; run < 2; run++) {
      await start();
      assert.deepEqual(await idsIn("/api/agents", "agents"), ["main"]);
      assert.deepEqual(await idsIn("/apps/main", "apps"), ["good"]);
      assert.deepEqual(await idsIn("/api/agents/main/apps", "apps"), ["good"]);
      const page = await read("/", "Accept: text/html");
      assert.equal(page.status, 200);
      assert.match(page.header("content-type") ?? "", /^text\/html/);
      assert.equal((await read("/apps/main/good/ok.txt")).text(), "OK");
      for (const path of ["/apps/main/good/%FF%01.txt", "/apps/main/bad%FF/", "/apps/ag%FE"]) {
        const refused = await read(path);
        assert.equal(refused.status, 400, path);
        assert.equal(refused.json().ok, false);
      }
      assert.equal(await holon!.stop(), 0);
      assert.doesNotMatch(holon!.script.stderr(), /\bat \S+:\d+/, "no stack trace");
    }
  });

  it("BR-21: FIFOs and downloads that hang keep no server from ending", async () => {
    for (const app of ["ff", "fm", "fe"]) mkdirSync(join(apps, app));
    writeFileSync(join(apps, "ff/index.html"), "F");
    writeFileSync(join(apps, "fm/index.html"), "M");
    writeFileSync(join(apps, "good/large.bin"), new Uint8Array(32 * 1024 * 1024));
    for (const path of ["ff/pipe.js", "fm/manifest.json", "fe/index.html"]) {
      execFileSync("mkfifo", [join(apps, path)]);
    }
    symlinkSync("/dev/zero", join(apps, "ff/zero"));
    await start();
    const paths = ["ff/pipe.js", "ff/zero", "fm/", "fe/"];
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => read(`/apps/main/${paths[n % 4]}`)),
    );
    assert.deepEqual(statuses.slice(0, 4).map(({ status }) => status), [404, 403, 422, 404]);
    assert.deepEqual(await idsIn("/apps/main", "apps"), ["ff", "good"]);
    for (let count = 0; count < 16; count++) {
      const connection = await rawConnect(target());
      connections.push(connection);
      connection.write(get("/apps/main/good/large.bin"));
      assert.equal((await connection.head()).status, 200);
      connection.pause();
    }
    const asked = performance.now();
    assert.equal(await holon!.stop(), 0);
    assert.ok(performance.now() - asked < 10_000);
  });
});
