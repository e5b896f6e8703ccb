/** Apps of very many files, very many apps, and names in any form of Unicode. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { checkAppFolder } from "../../src/apps/check_folder.ts";
import { createHost } from "../../src/host/current.ts";
import type { HostFiles } from "../../src/host/types.ts";
import { OPEN_SETTINGS } from "../support/app_handler.ts";
import { callJson } from "../support/json_client.ts";
import { type ListeningHolon, listeningHolon } from "../support/listening_holon.ts";
import { get, rawRequest } from "../support/raw_http.ts";
import { runtimeName } from "../support/runtime.ts";

/** The whole number on one runtime: making so many takes seconds, and what is proven is alike. */
const FILES = runtimeName === "node" ? 100_000 : 10_000;
const APPS = 3000;

/** Makes empty files `1` to `count` in a folder. */
function fill(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true });
  execFileSync("sh", ["-c", `cd "$1" && seq ${count} | xargs -n 5000 touch`, "sh", folder]);
}

describe("large folders", () => {
  let holon: ListeningHolon;
  /** Calls of the host's files by name. */
  let calls: number;
  const counted = (files: HostFiles): HostFiles =>
    new Proxy(files, {
      get(target, name, receiver) {
        const value = Reflect.get(target, name, receiver);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          calls++;
          return value.apply(target, args);
        };
      },
    });
  before(async () => {
    holon = await listeningHolon({ wrapFiles: counted });
    calls = 0;
  });
  after(async () => {
    await holon.close();
    assert.deepEqual(holon.errors, []);
  });

  const place = (path: string) => join(holon.home, "agents", "main", "apps", path);
  const read = (path: string) => rawRequest({ port: holon.port }, get(`/apps/main/${path}`));
  const list = async () => (await callJson(holon.url, "/apps/main")).body.apps;

  it(`an app of ${FILES} files is listed without a look at them, and served`, async () => {
    holon.write({ "many/index.html": "M" });
    await list();
    const usual = calls;
    fill(place("many/data"), FILES);
    calls = 0;
    const [app] = await list();
    assert.deepEqual([app.id, app.name], ["many", "many"]);
    assert.ok(calls <= usual, `${calls} calls, ${usual} for an app of one file`);
    assert.equal((await read("many/")).text(), "M");
    for (const name of ["1", "5000", String(FILES)]) {
      assert.equal((await read(`many/data/${name}`)).status, 200, name);
    }
    assert.equal((await read("many/data/0")).status, 404);
    assert.equal((await read("many/data/")).status, 404);
  });

  if (FILES === 100_000) {
    it("a check of it is bounded, and says so", async () => {
      const { files } = createHost();
      const check = await checkAppFolder(files, place("many"), OPEN_SETTINGS);
      assert.equal(check.truncated, true);
      assert.ok(check.files <= FILES, `${check.files} files`);
      assert.ok(check.findings.length < 10_000, `${check.findings.length} findings`);
    });
  }

  it(`${APPS} apps are listed in order, and others are served meanwhile`, async () => {
    const make = `cd "$1" && seq -f 'app-%05g' ${APPS} | xargs mkdir && ` +
      `for d in app-*; do : > "$d/index.html"; done; seq -f file-%g ${APPS} | xargs touch`;
    execFileSync("sh", ["-c", make, "sh", place("")]);
    const order: string[] = [];
    const listing = list().then((apps) => {
      order.push("list");
      return apps;
    });
    const others = Array.from({ length: 10 }, async () => {
      assert.equal((await read("many/")).text(), "M");
      order.push("page");
    });
    await Promise.all(others);
    const ids = (await listing).map(({ id }: { id: string }) => id);
    assert.equal(ids.length, APPS + 1);
    assert.deepEqual(ids, ids.toSorted());
    assert.equal(order.at(-1), "list", order.join(" "));
    assert.equal((await read(`app-0${APPS}/`)).status, 200);
    assert.equal((await callJson(holon.url, "/api/agents/main/state")).body.apps.length, APPS + 1);
  });
});

describe("names in any form of Unicode", () => {
  const NAMES = [
    "é.txt".normalize("NFC"),
    "é.txt".normalize("NFD"),
    "한글.txt".normalize("NFC"),
    "한글.txt".normalize("NFD"),
    "Å.txt", // Å
    "\u212b.txt", // the Ångström sign, which NFC makes Å of
    "👩‍👩‍👧.png", // joined by U+200D
    "‮txt.evil.js", // right to left
    "ﬀ.css", // a ligature
    "straße.txt",
    "STRASSE.txt",
    "𝒳.json", // outside the basic plane
    "a\u200bb.txt", // zero width space
    "نص عربي.txt",
    `${"字".repeat(83)}.txt`, // 253 bytes
  ];
  let holon: ListeningHolon;
  before(async () => {
    holon = await listeningHolon();
    holon.write({ "u/index.html": "U" });
    NAMES.forEach((name, index) =>
      holon.write({ [`u/${name}`]: `${index}`, [`u/${name}.d/f`]: "F" })
    );
  });
  after(async () => {
    await holon.close();
    assert.deepEqual(holon.errors, []);
  });

  const read = (path: string) => rawRequest({ port: holon.port }, get(`/apps/main/u/${path}`));

  it("each is a file of its own, whatever it looks like", async () => {
    for (const [index, name] of NAMES.entries()) {
      const response = await read(encodeURIComponent(name));
      assert.deepEqual([response.status, response.text()], [200, String(index)], name);
      const lower = encodeURIComponent(name).replace(/%../g, (code) => code.toLowerCase());
      assert.equal((await read(lower)).text(), String(index));
      assert.equal((await read(`${encodeURIComponent(name)}.d/f`)).text(), "F");
    }
  });

  it("the other form of a name that has one is not found", async () => {
    for (const name of ["è.txt", "ﬁ.css", "Ω.txt"]) {
      holon.write({ [`u/${name.normalize("NFC")}`]: "composed" });
      const other = name.normalize(name.normalize("NFD") === name ? "NFKC" : "NFD");
      const status = other === name.normalize("NFC") ? 200 : 404;
      assert.equal((await read(encodeURIComponent(other))).status, status, name);
    }
  });

  it("no app or agent has such an id", async () => {
    for (const id of ["é", "аpp", "a\u200b", "ａpp"]) {
      holon.write({ [`${id}/index.html`]: "X" });
      const path = `/apps/main/${encodeURIComponent(id)}/`;
      assert.equal((await rawRequest({ port: holon.port }, get(path))).status, 400, id);
    }
    const { apps } = (await callJson(holon.url, "/apps/main")).body;
    assert.deepEqual(apps.map(({ id }: { id: string }) => id), ["u"]);
  });
});
