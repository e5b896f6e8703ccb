import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { violationsOf } from "./support/axe.ts";
import { complaintsOf, launchBrowser, skipBrowser } from "./support/browser.ts";
import { type TestHome, testHome } from "./support/home.ts";
import { readQr } from "./support/qr.ts";

const TOKEN = "owner-token-0123456789abcdef";
const HOST = "lab.test";
const PHONE_AGENT =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
  "Version/19.0 Mobile/15E148 Safari/604.1";
const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  userAgent: PHONE_AGENT,
} as const;

describe("pairing a phone", { skip: skipBrowser }, () => {
  let home: TestHome;
  let holon: ServedHolon;
  let browser: Browser;
  let base: string;
  let desk: Page;

  before(async () => {
    home = testHome();
    home.template("main", "ping-card");
    const file = join(home.path, "token");
    writeFileSync(file, TOKEN, { mode: 0o600 });
    holon = await startHolon({
      home: home.path,
      program: PROGRAMS.node,
      args: ["--access", "lan", "--host", HOST, "--port", "0", "--token-file", file],
    });
    browser = await launchBrowser([`--host-resolver-rules=MAP ${HOST} 127.0.0.1`]);
    base = `http://${HOST}:${new URL(holon.url).port}`;
    desk = await signedIn();
  });
  after(async () => {
    await browser?.close();
    await holon?.stop();
    home?.remove();
  });

  async function signedIn(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage(options);
    await page.goto(`${base}/sign-in`);
    await page.getByLabel("Token").fill(TOKEN);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Pair a device" }).waitFor();
    return page;
  }

  /** Opens the dialog and shows a code; gives what a camera reads. */
  async function showCode(page: Page, scope = "Use apps"): Promise<string> {
    await page.getByRole("button", { name: "Pair a device" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(scope, { exact: true }).click();
    await dialog.getByRole("button", { name: "Show the code" }).click();
    const code = dialog.getByRole("img", { name: "QR code of the pairing link" });
    await code.waitFor();
    const text = await readQr(browser, await page.screenshot());
    assert.match(text ?? "", new RegExp(`^${base}/pair#[0-9a-f]{64}$`));
    return text!;
  }

  const close = (page: Page) =>
    page.getByRole("dialog").getByRole("button", { name: "Close" }).click();

  const scan = async (link: string): Promise<Page> => {
    const phone = await browser.newPage(PHONE);
    await phone.goto(link);
    return phone;
  };

  it("is done by scanning, opening and a tap; the phone then uses an app", async () => {
    const complaints = complaintsOf(desk);
    const link = await showCode(desk);
    const phone = await scan(link);
    const ofPhone = complaintsOf(phone);
    // The ticket has left the address, and nothing has happened yet.
    assert.equal(phone.url(), `${base}/pair`);
    assert.equal((await phone.context().cookies()).length, 0);
    await phone.getByText("isn’t encrypted").waitFor();
    await phone.getByRole("button", { name: "Pair this device" }).tap();
    await phone.waitForURL(`${base}/`);
    await desk.getByText("Used by Safari on iPhone.").waitFor();
    await close(desk);
    const device = desk.getByRole("listitem").filter({ hasText: "Safari on iPhone" });
    assert.match(await device.innerText(), /Can use apps · paired/);

    await phone.getByRole("link", { name: "Ping Card" }).tap();
    await phone.getByRole("button", { name: /ping/i }).first().tap();
    await phone.getByText(/accepted|waiting|queued/i).first().waitFor();
    const status = await phone.evaluate(
      "fetch('/api/auth/sessions').then((response) => response.status)",
    );
    assert.equal(status, 403, "it may use apps, and no more");
    // Chromium heeds that header on safe connections only, and says so.
    const isNews = (text: string) => !/403|Cross-Origin-Opener-Policy/.test(text);
    assert.deepEqual([...complaints, ...ofPhone].filter(isNews), []);
  });

  it("works once: a second device is told what to do", async () => {
    const link = await showCode(desk, "Look only");
    const first = await scan(link);
    const second = await scan(link);
    await first.getByRole("button", { name: "Pair this device" }).tap();
    await first.waitForURL(`${base}/`);
    await second.getByRole("button", { name: "Pair this device" }).tap();
    await second.getByRole("heading", { name: "This code doesn’t work" }).waitFor();
    assert.match(await second.locator("main").innerText(), /used already.*“Pair a device”/s);
    assert.equal((await second.context().cookies()).length, 0);
    await desk.getByText("Used by Safari on iPhone.").waitFor();
    await close(desk);
  });

  it("ends when the dialog is closed, by key too", async () => {
    const link = await showCode(desk);
    await desk.keyboard.press("Escape");
    await desk.getByRole("dialog").waitFor({ state: "detached" });
    const phone = await scan(link);
    await phone.getByRole("button", { name: "Pair this device" }).tap();
    await phone.getByRole("heading", { name: "This code doesn’t work" }).waitFor();
  });

  it("can't be done by a page of another site", async () => {
    const link = await showCode(desk);
    const ticket = link.split("#")[1]!;
    const victim = await browser.newPage();
    await victim.goto("data:text/html,<title>hostile</title>");
    for (const type of ["text/plain", "application/json"]) {
      const isPost = (request: { method(): string }) => request.method() === "POST";
      const outcome = Promise.race([
        victim.waitForResponse((one) => isPost(one.request())).then((one) => one.status()),
        victim.waitForEvent("requestfailed", isPost).then(() => "blocked"),
      ]);
      await victim.evaluate(`
        fetch("${base}/api/auth/pairing/redeem", {
          method: "POST", mode: "no-cors", credentials: "include",
          body: new Blob(['{"ticket":"${ticket}"}'], { type: "${type}" }),
        }).catch(() => {})`);
      assert.ok([403, "blocked"].includes(await outcome), type);
    }
    const answer = await fetch(`${holon.url}/api/auth/pairing/redeem`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "origin": "https://hostile.example",
        "sec-fetch-site": "cross-site",
      },
      body: JSON.stringify({ ticket }),
    });
    assert.equal((await answer.json()).code, "csrf_origin_rejected");
    assert.equal((await victim.context().cookies()).length, 0);
    // Nor can it lay the page under something to click on.
    const { headers } = await fetch(`${holon.url}/pair`);
    assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
    const phone = await scan(link);
    await phone.getByRole("button", { name: "Pair this device" }).tap();
    await phone.waitForURL(`${base}/`);
    await close(desk);
  });

  it("says when a code has expired, and makes another one", async () => {
    const link = await showCode(desk);
    const states = "**/api/auth/pairing/*-*";
    await desk.route(
      states,
      (route) =>
        route.request().method() === "GET"
          ? route.fulfill({ json: { ok: true, state: "expired", client: null, expires_in_s: 0 } })
          : route.continue(),
    );
    await desk.getByText("The code has expired").waitFor();
    await desk.unroute(states);
    await desk.getByRole("button", { name: "Show a new code" }).click();
    await desk.getByRole("timer").waitFor();
    assert.notEqual(await readQr(browser, await desk.screenshot()), link);
    await close(desk);
  });

  it("tells of an address without a code", async () => {
    const phone = await scan(`${base}/pair`);
    await phone.getByText("There is no code in this address").waitFor();
    assert.ok(await phone.getByRole("button", { name: "Pair this device" }).isHidden());
  });

  it("says at a loopback address that no phone reaches it", async () => {
    const alone = testHome();
    const local = await startHolon({ home: alone.path, program: PROGRAMS.node });
    try {
      const page = await browser.newPage();
      await page.goto(local.url);
      await page.getByRole("button", { name: "Pair a device" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText(/a phone can't\. .*--access lan/).waitFor();
      await dialog.getByText(/asks for no token/).waitFor();
      assert.equal(await dialog.getByRole("button", { name: "Show the code" }).count(), 0);
    } finally {
      await local.stop();
      alone.remove();
    }
  });

  for (const [name, device] of [["dark on a phone", PHONE], ["light at a desk", {}]] as const) {
    it(`has nothing that axe complains of, ${name}`, async () => {
      const colorScheme = name.startsWith("dark") ? "dark" : "light";
      const page = await signedIn({ ...device, colorScheme, bypassCSP: true });
      await page.getByRole("button", { name: "Pair a device" }).click();
      await page.getByRole("button", { name: "Show the code" }).waitFor();
      assert.deepEqual(await violationsOf(page), []);
      await page.getByRole("button", { name: "Show the code" }).click();
      await page.getByRole("timer").waitFor();
      assert.deepEqual(await violationsOf(page), []);
      assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
      const pair = await browser.newPage({ ...device, colorScheme, bypassCSP: true });
      await pair.goto(`${base}/pair#${"0".repeat(64)}`);
      assert.deepEqual(await violationsOf(pair), []);
    });
  }
});
