import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { violationsOf } from "./support/axe.ts";
import { complaintsOf, launchBrowser, skipBrowser } from "./support/browser.ts";
import { type TestHome, testHome } from "./support/home.ts";

const TOKEN = "owner-token-0123456789abcdef";
const PHONE_AGENT =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
  "Version/19.0 Mobile/15E148 Safari/604.1";
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, userAgent: PHONE_AGENT };

describe("signed-in devices on the home page", { skip: skipBrowser }, () => {
  let home: TestHome;
  let holon: ServedHolon;
  let browser: Browser;

  before(async () => {
    home = testHome();
    home.template("main", "ping-card");
    const file = join(home.path, "token");
    writeFileSync(file, TOKEN, { mode: 0o600 });
    const args = ["--token-file", file];
    holon = await startHolon({ home: home.path, program: PROGRAMS.node, args });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await holon?.stop();
    home?.remove();
  });

  async function signIn(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage(options);
    await page.goto(`${holon.url}/sign-in`);
    await page.getByLabel("Token").fill(TOKEN);
    await page.getByRole("button", { name: "Sign in" }).click();
    await devices(page).waitFor();
    return page;
  }

  const devices = (page: Page) => page.getByRole("region", { name: "Signed-in devices" });
  const items = (page: Page) => devices(page).getByRole("listitem");

  it("shows them, says which one is this, and signs another out by keyboard", async () => {
    const page = await signIn();
    const complaints = complaintsOf(page);
    const phone = await signIn(PHONE);
    const ofPhone = items(page).filter({ hasText: "Safari on iPhone" });
    await ofPhone.waitFor();
    assert.match(await ofPhone.innerText(), /Can do everything · signed in .* · last seen/);
    assert.match(await items(page).filter({ hasText: "This one" }).innerText(), /^Chrome on/);
    await ofPhone.getByRole("button", { name: "Sign out Safari on iPhone" }).focus();
    await page.keyboard.press("Enter");
    assert.equal(await items(page).count(), 2, "it asks first");
    await page.keyboard.press("Enter");
    await ofPhone.waitFor({ state: "detached" });
    // The phone's page hears of it by its event stream.
    await phone.getByText("You are signed out.").waitFor();
    assert.doesNotMatch(await phone.innerText("body"), /ping|Signed-in devices|Reconnecting/i);
    assert.deepEqual(complaints, []);
  });

  it("signs out all others at once", async () => {
    const page = await signIn();
    await signIn(PHONE);
    await items(page).nth(2).waitFor();
    const button = page.getByRole("button", { name: /^Sign out all others/ });
    await button.click();
    await button.click();
    await items(page).nth(1).waitFor({ state: "detached" });
    assert.match(await items(page).innerText(), /This one/);
  });

  for (const colorScheme of ["dark", "light"] as const) {
    it(`has nothing that axe complains of, ${colorScheme} and on a phone`, async () => {
      const page = await signIn({ ...PHONE, colorScheme, bypassCSP: true });
      await signIn();
      await items(page).nth(1).waitFor();
      assert.deepEqual(await violationsOf(page), []);
      assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
    });
  }
});
