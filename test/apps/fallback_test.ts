import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  type AppHandler,
  createAppHandler,
  OPEN_SETTINGS,
  outcomeOf,
} from "../support/app_handler.ts";

const NAVIGATION = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const FETCHED = { ...NAVIGATION, "sec-fetch-mode": "cors" };

describe("a fallback page", () => {
  let handler: AppHandler;
  let root: string;
  before(() => {
    handler = createAppHandler();
    handler.clock = { now: () => Date.now() + 60_000 };
    root = join(handler.home, "agents/main/apps/spa");
    const manifest = { id: "spa", name: "S", version: "1", entry: "index.html" };
    handler.write({
      "spa/manifest.json": JSON.stringify({ ...manifest, fallback: "shell/app.html" }),
      "spa/index.html": "entry",
      "spa/shell/app.html": "shell",
      "spa/LICENSE": "license",
      "spa/.env": "CANARY",
      "spa/big": "0123456789x",
      "plain/index.html": "plain",
      "lost/manifest.json": JSON.stringify({ ...manifest, id: "lost", fallback: "absent.html" }),
      "lost/index.html": "lost",
    });
    mkdirSync(join(root, "folder"));
    symlinkSync("../plain/index.html", join(root, "out"));
    symlinkSync("absent", join(root, "dangling"));
  });
  after(() => handler.remove());

  const get = (path: string, headers: Record<string, string> = NAVIGATION, method = "GET") =>
    handler.fetch(`/apps/main/${path}`, { headers, method });

  for (
    const path of ["users", "users/42", "users/42/", "a/b/c?x=1.js", "folder", "dangling"]
  ) {
    it(`answers a navigation to ${path}`, async () => {
      const response = await get(`spa/${path}`);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
      assert.equal(response.headers.get("vary"), "accept, sec-fetch-mode");
      assert.equal(await response.text(), "shell");
      const head = await get(`spa/${path}`, NAVIGATION, "HEAD");
      assert.equal(head.status, 200);
      assert.equal(head.headers.get("content-length"), "5");
    });
  }

  it("leaves files and the entry page as they are", async () => {
    assert.equal(await (await get("spa/")).text(), "entry");
    assert.equal(await (await get("spa/LICENSE")).text(), "license");
    assert.equal((await get("spa/context")).headers.get("content-type"), "application/json");
  });

  it("is known again by its tag, at each of its addresses", async () => {
    const tag = (await get("spa/a", NAVIGATION, "HEAD")).headers.get("etag") ?? "";
    const again = await get("spa/b", { ...NAVIGATION, "if-none-match": tag });
    assert.equal(again.status, 304);
  });

  for (
    const [what, path, headers] of [
      ["a missing script", "app.js", NAVIGATION],
      ["a missing page with an extension", "users/a.html", NAVIGATION],
      ["a name with a dot", "users/john.doe", NAVIGATION],
      ["an image", "users/42", { accept: "image/avif,*/*;q=0.8" }],
      ["a fetch without a word on HTML", "users/42", { accept: "*/*" }],
      ["a script's fetch", "users/42", FETCHED],
      ["no Accept at all", "users/42", {}],
      ["a name of the SDK, spelled otherwise", "contex%74", NAVIGATION],
    ] as const
  ) {
    it(`leaves 404 for ${what}`, async () => {
      const response = await get(`spa/${path}`, headers);
      assert.equal(await outcomeOf(response), "404 not_found");
    });
  }

  for (
    const [path, expected] of [
      [".env", "403 forbidden"],
      [".absent", "403 forbidden"],
      ["a/%2e%2e/b", "403 forbidden"],
      ["out", "403 forbidden"],
      ["a%5Cb", "400 bad_request"],
      ["big", "413 app_asset_too_large"],
    ] as const
  ) {
    it(`leaves ${expected} at ${path}`, async () => {
      handler.settings = { ...OPEN_SETTINGS, maxAssetBytes: 10 };
      assert.equal(await outcomeOf(await get(`spa/${path}`)), expected);
    });
  }

  it("takes no other method", async () => {
    const response = await get("spa/users", NAVIGATION, "POST");
    assert.equal(await outcomeOf(response), "405 method_not_allowed");
  });

  it("is held to the same limits as any file", async () => {
    handler.settings = { ...OPEN_SETTINGS, maxAssetBytes: 4 };
    assert.equal(await outcomeOf(await get("spa/users")), "413 app_asset_too_large");
    handler.settings = OPEN_SETTINGS;
  });

  it("is nowhere unless the manifest names one", async () => {
    assert.equal(await outcomeOf(await get("plain/users")), "404 not_found");
  });

  it("is missed where it is missing, and named as the app's problem", async () => {
    assert.equal(await outcomeOf(await get("lost/users")), "404 not_found");
    const problems = Object.fromEntries(
      (await handler.apps.inspect("main")).map(({ id, problem }) => [id, problem]),
    );
    assert.equal(problems["lost"], "Its fallback page absent.html is missing");
    assert.equal(problems["spa"], null);
    rmSync(join(root, "shell"), { recursive: true });
    assert.equal(await outcomeOf(await get("spa/users")), "404 not_found");
  });

  it("is named in the list of apps", async () => {
    const apps = await handler.apps.list("main");
    const fallbacks = apps.map(({ id, fallback }) => [id, fallback]);
    assert.deepEqual(Object.fromEntries(fallbacks), {
      lost: "absent.html",
      plain: undefined,
      spa: "shell/app.html",
    });
  });
});
