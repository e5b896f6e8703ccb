import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { launchBrowser, skipBrowser } from "./support/browser.ts";
import { sdkPage, type TestHome, testHome } from "./support/home.ts";

/** A server with a token of its own. */
interface Guarded {
  readonly home: TestHome;
  readonly token: string;
  readonly args: readonly string[];
  holon: ServedHolon;
}

async function startGuarded(token: string): Promise<Guarded> {
  const home = testHome();
  home.app("main", "a", { "index.html": sdkPage("app.js"), "app.js": "" });
  const file = join(home.path, "token");
  writeFileSync(file, token + "\n", { mode: 0o600 });
  const args = ["--token-file", file];
  const holon = await startHolon({
    home: home.path,
    program: PROGRAMS.node,
    args: ["--port", "0", ...args],
  });
  return { home, token, args, holon };
}

const APP = "/apps/main/a/";

describe("signing in", { skip: skipBrowser }, () => {
  let one: Guarded;
  let two: Guarded;
  let browser: Browser;
  let profile: BrowserContext;
  let page: Page;

  before(async () => {
    [one, two] = await Promise.all([
      startGuarded("first-token-0123456789abcdef"),
      startGuarded("second-token-0123456789abcdef"),
    ]);
    browser = await launchBrowser();
    profile = await browser.newContext();
    page = await profile.newPage();
  });

  after(async () => {
    await browser?.close();
    for (const guarded of [one, two]) {
      await guarded?.holon.stop();
      guarded?.home.remove();
    }
  });

  async function signIn({ holon, token }: Guarded, path: string): Promise<void> {
    await page.goto(holon.url + path);
    // The form itself, but a link to it at an app's address.
    const link = page.getByRole("link", { name: "Sign in" });
    if (path.startsWith("/apps/")) await link.click();
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Token").waitFor({ state: "detached" });
    assert.equal(page.url(), holon.url + path);
  }

  const ask = () => page.evaluate("Holon.request('ping').then((r) => r.status, (e) => e.status)");

  it("stands between a stranger and every page, with a way in", async () => {
    const answer = await page.goto(one.holon.url + APP);
    assert.equal(answer?.status(), 401);
    assert.equal(await page.getByLabel("Token").count(), 0);
    assert.equal(await page.getByRole("link", { name: "Sign in" }).count(), 1);
    for (const path of ["/", "/nowhere"]) {
      const answer = await page.goto(one.holon.url + path);
      assert.equal(answer?.status(), 401, path);
      assert.equal(await page.evaluate("document.activeElement.id"), "token", path);
    }
  });

  it("is asked for in the place of a page, and leads to that page, query and fragment kept", async () => {
    const stranger = await browser.newContext();
    const first = page;
    page = await stranger.newPage();
    try {
      await signIn(one, `${APP}?next=//evil.example/&x=1`);
      assert.equal(await ask(), "accepted");
      await stranger.clearCookies();
      await signIn(one, "/?next=//evil.example/&x=1#part");
      await page.getByRole("heading", { name: "Apps" }).waitFor();
      await stranger.clearCookies();
      // A path that a browser would take for a host where it is resolved once more.
      await signIn(one, "//evil.example/");
    } finally {
      page = first;
      await stranger.close();
    }
  });

  it("says in a sentence that a token is wrong, and lets one try again by keyboard", async () => {
    await page.goto(`${one.holon.url}/sign-in?next=${encodeURIComponent(APP)}`);
    assert.equal(await page.evaluate("document.activeElement.id"), "token");
    await page.keyboard.type("wrong");
    await page.keyboard.press("Enter");
    const problem = page.getByRole("alert");
    await problem.filter({ hasText: "not a token" }).waitFor();
    assert.equal(await page.getByLabel("Token").getAttribute("aria-invalid"), "true");
    // The field is focused and selected: typing replaces what was wrong.
    await page.keyboard.type(one.token);
    await page.keyboard.press("Enter");
    await page.waitForURL(one.holon.url + APP);
    assert.equal(await ask(), "accepted");
  });

  it("asks for nothing where there is no token", async () => {
    const home = testHome();
    const holon = await startHolon({ home: home.path, program: PROGRAMS.node });
    try {
      await page.goto(`${holon.url}/sign-in`);
      await page.getByText("This server has no token").waitFor();
      assert.equal(await page.getByLabel("Token").isVisible(), false);
      await page.getByRole("link", { name: "Open Holon" }).click();
      await page.getByRole("heading", { name: "Apps" }).waitFor();
    } finally {
      await holon.stop();
      home.remove();
    }
  });

  it("goes nowhere else afterwards", async () => {
    for (
      const next of [
        "//evil.example/",
        "/\\evil.example",
        "/\t/evil.example",
        "https://evil.example/",
        "javascript:document.title='evil'",
        "%2F%2Fevil.example",
      ]
    ) {
      await page.goto(`${one.holon.url}/sign-in?next=${encodeURIComponent(next)}`);
      await page.getByLabel("Token").fill(one.token);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL(one.holon.url + "/");
    }
  });

  it("keeps sessions of two servers on one host apart (BR-44)", async () => {
    await signIn(two, APP);
    await page.goto(one.holon.url + APP);
    assert.equal(await ask(), "accepted");
    const cookies = await profile.cookies();
    assert.equal(cookies.length, 2);
    for (const cookie of cookies) {
      assert.ok(cookie.httpOnly);
      assert.equal(cookie.sameSite, "Lax");
      for (const { token } of [one, two]) assert.ok(!cookie.value.includes(token));
    }

    // Both cookies in either order, and the other server's alone.
    const ownName = cookies.find(({ name }) => name.includes(new URL(one.holon.url).port))!.name;
    const pairs = cookies.map(({ name, value }) => `${name}=${value}`);
    const statusWith = async (cookie: string) =>
      (await fetch(one.holon.url + APP + "context", { headers: { cookie } })).status;
    assert.equal(await statusWith(pairs.join("; ")), 200);
    assert.equal(await statusWith(pairs.reverse().join("; ")), 200);
    assert.equal(await statusWith(pairs.find((pair) => !pair.startsWith(ownName))!), 401);
  });

  it("signs out on the home page, of that server only", async () => {
    await page.goto(two.holon.url + "/");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(two.holon.url + "/sign-in");
    assert.equal((await page.goto(two.holon.url + "/"))?.status(), 401);
    await page.goto(one.holon.url + APP);
    assert.equal(await ask(), "accepted");
  });

  it("lasts over a restart of the server", async () => {
    const { port } = new URL(one.holon.url);
    await one.holon.stop();
    one.holon = await startHolon({
      home: one.home.path,
      program: PROGRAMS.node,
      args: ["--port", port, ...one.args],
    });
    await page.goto(one.holon.url + APP);
    assert.equal(await ask(), "accepted");
  });
});
