import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type AppHandler, createAppHandler } from "../support/app_handler.ts";

describe("inspectApps()", () => {
  let handler: AppHandler;
  let apps: string;
  before(() => {
    handler = createAppHandler();
    apps = join(handler.home, "agents/main/apps");
    handler.write({
      "card/index.html": "<p>card",
      "My App/index.html": "<p>mine",
      "Émile & Co./index.html": "<p>his",
      "日本/index.html": "<p>there",
      ".hidden dir/index.html": "<p>no",
    });
    writeFileSync(join(apps, "a file"), "no folder");
    symlinkSync("card", join(apps, "a link"));
  });
  after(() => handler.remove());

  it("tells of folders whose names are no app ids, and of nothing else", async () => {
    const problem = (id: string) => `The folder's name is no app id: rename it, e.g. "${id}"`;
    const found = await handler.apps.inspect("main");
    assert.deepEqual(found.map(({ id, app, problem }) => [id, app === null, problem]), [
      ["My App", true, problem("my-app")],
      ["card", false, null],
      ["Émile & Co.", true, problem("emile-co")],
      ["日本", true, problem("my-app")],
    ]);
    assert.deepEqual((await handler.apps.list("main")).map(({ id }) => id), ["card"]);
  });

  it("bounds how many of them it tells of, and leaves out no app", async () => {
    for (let index = 0; index < 150; index++) mkdirSync(join(apps, `a folder ${index}`));
    const found = await handler.apps.inspect("main");
    assert.equal(found.filter(({ app }) => app === null).length, 100);
    assert.ok(found.some(({ id }) => id === "card"));
  });
});
