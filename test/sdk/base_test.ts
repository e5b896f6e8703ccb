import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { baseOfPage, baseOfScript } from "../../sdk/src/base.ts";

const ORIGIN = "http://127.0.0.1:7878";

describe("baseOfScript()", () => {
  it("gives the folder of the script, wherever the page is", () => {
    const script = `${ORIGIN}/apps/main/a/holon.js?v=1`;
    assert.equal(
      baseOfScript(script, `${ORIGIN}/apps/main/a/deep/page.html`),
      `${ORIGIN}/apps/main/a/`,
    );
  });

  it("keeps percent escapes of ids", () => {
    const script = `${ORIGIN}/apps/main/a%2Db/holon.js`;
    assert.equal(baseOfScript(script, `${ORIGIN}/`), `${ORIGIN}/apps/main/a%2Db/`);
  });

  it("falls back to the page when there is no script element, or one without an address", () => {
    const page = `${ORIGIN}/apps/main/a/deep/page.html`;
    for (const script of [undefined, "", "data:text/javascript,1", "blob:x"]) {
      assert.equal(baseOfScript(script, page), `${ORIGIN}/apps/main/a/`);
    }
  });
});

describe("baseOfPage()", () => {
  it("finds the app's root in a page's address", () => {
    const cases: Readonly<Record<string, string>> = {
      "/apps/main/a": "/apps/main/a/",
      "/apps/main/a/": "/apps/main/a/",
      "/apps/main/a/index.html?x=/apps/b/c/#y": "/apps/main/a/",
      "/apps/main/a/apps/b/c/page": "/apps/main/a/",
      "/proxy/apps/main/a/b/": "/proxy/apps/main/a/",
    };
    for (const [page, base] of Object.entries(cases)) {
      assert.equal(baseOfPage(ORIGIN + page), ORIGIN + base, page);
    }
  });

  it("gives the root of an app's own origin", () => {
    for (const origin of ["http://a-0123abcd.localhost:1", "https://a-b-0123abcd.apps.example"]) {
      assert.equal(baseOfPage(`${origin}/sub/page.html`), `${origin}/`);
    }
  });

  it("gives the page's folder where the address has no such root", () => {
    assert.equal(baseOfPage("http://a.localhost/sub/page.html"), "http://a.localhost/sub/");
    assert.equal(baseOfPage(`${ORIGIN}/apps/main`), `${ORIGIN}/apps/`);
  });
});
