/** A single-page app that is opened at one of its own addresses, by the ways that the docs show. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { repositoryRoot } from "../support/runtime.ts";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { complaintsOf, launchBrowser, skipBrowser } from "./support/browser.ts";
import { type TestHome, testHome } from "./support/home.ts";

const APP = `document.body.append("at " + location.pathname);
Holon.context().then(({ app_id }) => document.body.append(" of " + app_id));`;

/** The two ways of `docs/apps.md` to say where an app is. */
const BASES = [
  ...readFileSync(join(repositoryRoot, "docs/apps.md"), "utf8").matchAll(
    /```html\n((?:<base|<script>\ndocument\.write)[^]*?)```/g,
  ),
].map(([, code]) => code!);

describe("a fallback page", { skip: skipBrowser }, () => {
  let home: TestHome;
  let holon: ServedHolon;
  let browser: Browser;

  before(async () => {
    home = testHome();
    for (const [index, base] of BASES.entries()) {
      const id = index === 0 ? "shop" : "anywhere";
      home.app("main", id, {
        "manifest.json": JSON.stringify({
          id,
          name: id,
          version: "1",
          entry: "index.html",
          fallback: "index.html",
        }),
        "index.html": `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>S</title>
${base}<script src="holon.js"></script><script type="module" src="app.js"></script></head>
<body></body></html>`,
        "app.js": APP,
      });
    }
    holon = await startHolon({ home: home.path, program: PROGRAMS.node });
    browser = await launchBrowser();
  });

  after(async () => {
    await browser?.close();
    await holon?.stop();
    home?.remove();
  });

  it("is shown in the docs in two ways", () => assert.equal(BASES.length, 2));

  for (const id of ["shop", "anywhere"]) {
    for (const path of ["", "cart/42"]) {
      it(`loads what it needs at ${id}/${path}`, async () => {
        const page = await browser.newPage();
        const complaints = complaintsOf(page);
        const response = await page.goto(`${holon.url}/apps/main/${id}/${path}`);
        assert.equal(response?.status(), 200);
        await page.getByText(`at /apps/main/${id}/${path} of ${id}`).waitFor();
        // What browsers look for before the script that writes the base has run.
        const ahead = complaints.filter((text) => text.endsWith("a status of 404 (Not Found)"));
        assert.deepEqual(complaints.slice(ahead.length), []);
        if (id === "shop" || path === "") assert.deepEqual(ahead, []);
      });
    }
  }
});
