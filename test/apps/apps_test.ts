import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type AppHandler, createAppHandler, outcomeOf } from "../support/app_handler.ts";

const MANIFEST = { id: "card", name: "Card", version: "2", entry: "pages/start.html" };

describe("apps", () => {
  let handler: AppHandler;
  let apps: string;
  before(() => {
    handler = createAppHandler();
    apps = join(handler.home, "agents/main/apps");
    handler.write({
      "card/manifest.json": JSON.stringify({ ...MANIFEST, description: "A card" }),
      "card/pages/start.html": "<p>start",
      "card/index.html": "wrong",
      "plain/index.html": "<p>plain",
      "plain/holon.js": "file",
      "plain/context": "file",
      "bare/readme.txt": "no page",
      "broken/manifest.json": "{",
      "broken/index.html": "wrong",
      "noentry/manifest.json": JSON.stringify({ ...MANIFEST, id: "noentry" }),
      "Zebra/index.html": "Z",
    });
    symlinkSync("plain", join(apps, "linked"));
    symlinkSync("/etc", join(apps, "outside"));
    symlinkSync(".", join(apps, "self"));
    writeFileSync(join(apps, "file"), "no folder");
  });
  after(() => handler.remove());

  const get = (target: string, init?: RequestInit) => handler.fetch(target, init);
  const outcome = async (target: string, init?: RequestInit) => outcomeOf(await get(target, init));

  describe("GET /apps/{agent}", () => {
    it("lists sound apps only, by the bytes of their ids", async () => {
      const { agent_id, apps } = await (await get("/apps/main")).json() as {
        agent_id: string;
        apps: { id: string }[];
      };
      assert.equal(agent_id, "main");
      assert.deepEqual(apps.map(({ id }) => id), ["Zebra", "card", "noentry", "plain"]);
      assert.deepEqual(apps[1], {
        ...MANIFEST,
        description: "A card",
        url: "/apps/main/card/",
      });
      assert.deepEqual(apps[3], {
        id: "plain",
        name: "plain",
        version: "0.0.0",
        entry: "index.html",
        description: null,
        url: "/apps/main/plain/",
      });
    });

    it("lists nothing for an agent without apps", async () => {
      mkdirSync(join(handler.home, "agents/idle"));
      assert.deepEqual(await (await get("/apps/idle")).json(), { agent_id: "idle", apps: [] });
      assert.equal(await outcome("/apps/idle/x/"), "404 not_found");
    });

    it("refuses agents that aren't there, and ids that can't be", async () => {
      assert.equal(await outcome("/apps/nobody"), "404 not_found");
      assert.equal(await outcome("/apps/a%20b"), "400 bad_request");
      assert.equal(await outcome("/apps/.hidden"), "403 forbidden");
      assert.equal(await outcome("/apps/main/.hidden/"), "403 forbidden");
      assert.equal(await outcome("/apps/main/a%2Fb/"), "400 bad_request");
      assert.equal(await outcome(`/apps/main/${"a".repeat(129)}/`), "400 bad_request");
    });

    it("refuses an apps folder that is a link", async () => {
      mkdirSync(join(handler.home, "agents/thief"));
      symlinkSync(apps, join(handler.home, "agents/thief/apps"));
      assert.equal(await outcome("/apps/thief"), "403 forbidden");
      assert.equal(await outcome("/apps/thief/plain/"), "403 forbidden");
    });
  });

  describe("inspect()", () => {
    it("says what is wrong with each app", async () => {
      const inspections = await handler.apps.inspect("main");
      const problems = Object.fromEntries(inspections.map(({ id, problem }) => [id, problem]));
      assert.deepEqual(Object.keys(problems), [
        "Zebra",
        "bare",
        "broken",
        "card",
        "noentry",
        "plain",
      ]);
      assert.equal(problems["card"], null);
      assert.match(problems["bare"] ?? "", /no manifest.json and no readable index.html/);
      assert.match(problems["broken"] ?? "", /not valid JSON/);
      assert.match(problems["noentry"] ?? "", /pages\/start.html is missing/);
    });
  });

  describe("the entry page", () => {
    it("is served at the root, wherever it lies", async () => {
      assert.equal(await (await get("/apps/main/card/")).text(), "<p>start");
      assert.equal(await (await get("/apps/main/plain/")).text(), "<p>plain");
    });

    it("is redirected to from the address without a slash, with the query", async () => {
      const response = await get("/apps/main/card?a=1&b=%2F");
      assert.equal(response.status, 308);
      // A browser would keep it, also when the folder is gone or has become another one.
      assert.equal(response.headers.get("cache-control"), "no-store");
      assert.equal(response.headers.get("location"), "/apps/main/card/?a=1&b=%2F");
      assert.equal(await outcome("/apps/main/absent"), "404 not_found");
    });

    it("never falls back from a manifest, and misses where the entry is missing", async () => {
      assert.equal(await outcome("/apps/main/broken/"), "422 invalid_app_manifest");
      assert.equal(await outcome("/apps/main/noentry/"), "404 not_found");
      assert.equal(await outcome("/apps/main/bare/"), "404 not_found");
      assert.equal(await outcome("/apps/main/bare/readme.txt"), "404 not_found");
    });

    it("can be reached through a link within apps only if the id fits", async () => {
      assert.equal(await (await get("/apps/main/linked/")).text(), "<p>plain");
      symlinkSync("card", join(apps, "other"));
      assert.equal(await outcome("/apps/main/other/"), "422 invalid_app_manifest");
      assert.equal(await outcome("/apps/main/outside/"), "403 forbidden");
      assert.equal(await outcome("/apps/main/self/"), "403 forbidden");
      assert.equal(await outcome("/apps/main/file/"), "404 not_found");
    });
  });

  describe("every route of an app", () => {
    for (const path of ["", "a.txt", "context", "events", "holon.js", "holon.mjs"]) {
      it(`validates the manifest for ${path || "the entry"}`, async () => {
        assert.equal(await outcome(`/apps/main/broken/${path}`), "422 invalid_app_manifest");
      });
    }
  });

  describe("the manifest", () => {
    const broken: Record<string, (root: string) => void> = {
      "a folder": (root) => mkdirSync(join(root, "manifest.json")),
      "a dangling link": (root) => symlinkSync("absent.json", join(root, "manifest.json")),
      "a link out of the app": (root) =>
        symlinkSync("../card/manifest.json", join(root, "manifest.json")),
      "a link to a hidden file": (root) => {
        writeFileSync(join(root, ".m.json"), JSON.stringify({ ...MANIFEST, id: "m" }));
        symlinkSync(".m.json", join(root, "manifest.json"));
      },
      "a link to itself": (root) => symlinkSync("manifest.json", join(root, "manifest.json")),
      "too large": (root) =>
        writeFileSync(
          join(root, "manifest.json"),
          JSON.stringify({ ...MANIFEST, id: "m" }) + " ".repeat(64 * 1024),
        ),
    };
    for (const [what, make] of Object.entries(broken)) {
      it(`is refused when it is ${what}`, async () => {
        handler.write({ "m/index.html": "wrong" });
        make(join(apps, "m"));
        assert.equal(await outcome("/apps/main/m/"), "422 invalid_app_manifest");
        rmSync(join(apps, "m"), { recursive: true });
      });
    }

    it("may be a link within the app", async () => {
      handler.write({
        "m/real.json": JSON.stringify({ ...MANIFEST, id: "m", entry: "a.html" }),
        "m/a.html": "A",
      });
      symlinkSync("real.json", join(apps, "m/manifest.json"));
      assert.equal(await (await get("/apps/main/m/")).text(), "A");
    });
  });

  describe("an app that changes while it is served", () => {
    it("answers 404 once it is gone, and again when it is back", async () => {
      handler.write({ "gone/index.html": "G" });
      assert.equal(await (await get("/apps/main/gone/")).text(), "G");
      renameSync(join(apps, "gone"), join(handler.home, "away"));
      assert.equal(await outcome("/apps/main/gone/"), "404 not_found");
      symlinkSync(join(handler.home, "away"), join(apps, "gone"));
      assert.equal(await outcome("/apps/main/gone/"), "403 forbidden");
      rmSync(join(apps, "gone"));
      renameSync(join(handler.home, "away"), join(apps, "gone"));
      assert.equal(await (await get("/apps/main/gone/")).text(), "G");
    });
  });

  it("answers refusals only, never errors of its own", () => {
    assert.deepEqual(handler.unexpected, []);
    assert.equal(handler.permits.free, handler.permits.limit);
  });
});
