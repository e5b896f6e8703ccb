import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { SIGN_IN_PAGE } from "../../src/web/built.ts";
import { renderErrorPage } from "../../src/web/error_page.ts";
import { PAGE_HEADERS } from "../../src/web/headers.ts";

const PARTS = {
  atAppHost: false,
  status: 404,
  code: "not_found",
  sentence: "There is no app with this id",
  hint: "Run `holon apps list` to see the apps",
  path: "/apps/main/x/",
};

const linksOf = (html: string) =>
  [...html.matchAll(/<a href="([^"]*)">([^<]*)/g)].map((m) => [m[1], m[2]]);

test("renderErrorPage() says what went wrong and what to do", () => {
  const { html } = renderErrorPage(PARTS);
  assert.match(html, /<h1>There is no app with this id\.<\/h1>/);
  assert.match(html, /Run <code>holon apps list<\/code> to see the apps\./);
  assert.match(html, /404 · not_found/);
  assert.deepEqual(linksOf(html), [["/", "Go to the home page"]]);
});

test("renderErrorPage() offers what fits the status", () => {
  const actionsOf = (status: number, code = "any") =>
    linksOf(renderErrorPage({ ...PARTS, status, code }).html);
  assert.deepEqual(actionsOf(429, "too_many_attempts"), [
    ["/sign-in?next=%2Fapps%2Fmain%2Fx%2F", "Sign in"],
  ]);
  assert.deepEqual(actionsOf(503), [
    ["/apps/main/x/", "Try again"],
    ["/", "Go to the home page"],
  ]);
  assert.deepEqual(actionsOf(421), [["/apps/main/x/", "Try again"]]);
});

test("renderErrorPage() gives the sign-in form, with its policy, to who is not signed in", () => {
  const parts = { ...PARTS, status: 401, code: "auth_required", path: "/a" };
  const { html, csp } = renderErrorPage(parts);
  assert.equal(html, SIGN_IN_PAGE);
  assert.equal(csp, PAGE_HEADERS["content-security-policy"]);
  // An app's service worker could read what is typed at the app's address.
  for (const path of ["/apps", "/apps/", "/apps/main/x/"]) {
    const page = renderErrorPage({ ...parts, path }).html;
    assert.ok(!page.includes("<form"), path);
    assert.deepEqual(linksOf(page), [[`/sign-in?next=${encodeURIComponent(path)}`, "Sign in"]]);
  }
  const atHost = renderErrorPage({ ...parts, path: "/a/", atAppHost: true }).html;
  assert.deepEqual(linksOf(atHost), [["/a/", "Try again"]]);
});

test("renderErrorPage() escapes everything", () => {
  const evil = `"><script>alert('1')</script>&\``;
  const { html } = renderErrorPage({
    status: 503,
    code: evil,
    sentence: evil,
    hint: evil,
    path: "/" + evil,
    atAppHost: false,
  });
  assert.doesNotMatch(html, /<script/);
  assert.doesNotMatch(html, /href="[^"]*</);
});

test("renderErrorPage() links to no other origin", () => {
  for (
    const path of [
      "//evil.example/",
      "/\\evil.example",
      "https://evil.example",
      "javascript:x",
      "*",
    ]
  ) {
    for (const code of ["too_many_attempts", "runtime_error"]) {
      const status = code === "runtime_error" ? 500 : 429;
      for (const [href] of linksOf(renderErrorPage({ ...PARTS, status, code, path }).html)) {
        assert.ok(["/", "/sign-in?next=%2F"].includes(href!), href);
      }
    }
  }
});

test("renderErrorPage() needs no second file, and its policy allows its style only", () => {
  const { html, csp } = renderErrorPage(PARTS);
  const style = /<style>([^]*)<\/style>/.exec(html)![1]!;
  const digest = createHash("sha256").update(style).digest("base64");
  assert.ok(csp.includes(`style-src 'sha256-${digest}'`), csp);
  assert.doesNotMatch(html, /<link rel="stylesheet"|\sstyle=|<script|\son[a-z]+=/);
});
