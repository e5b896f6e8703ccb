import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { violationsOf } from "./support/axe.ts";
import { complaintsOf, launchBrowser, skipBrowser } from "./support/browser.ts";
import { type TestHome, testHome } from "./support/home.ts";
import { until } from "../support/until.ts";

const PHONE = { viewport: { width: 360, height: 740 } };

describe("API reference", { skip: skipBrowser }, () => {
  let home: TestHome;
  let holon: ServedHolon;
  let browser: Browser;

  before(async () => {
    home = testHome();
    home.agent("main", {});
    holon = await startHolon({ home: home.path, program: PROGRAMS.node });
    browser = await launchBrowser();
  });

  after(async () => {
    await browser?.close();
    await holon?.stop();
    home?.remove();
  });

  async function open(options: BrowserContextOptions = {}, hash = ""): Promise<Page> {
    const page = await browser.newPage(options);
    await page.goto(`${holon.url}/api/docs${hash}`);
    await page.getByRole("heading", { name: "Agents and messages" }).waitFor();
    return page;
  }

  async function openAll(page: Page, count: number): Promise<void> {
    await page.evaluate("document.querySelectorAll('summary').forEach((it) => it.click())");
    await until(() => page.evaluate(`document.querySelectorAll(".curl").length === ${count}`));
  }

  it("shows every operation in its group, without a complaint of the browser", async () => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${holon.url}/api/docs`);
    await page.getByRole("heading", { name: "Agents and messages" }).waitFor();
    const { paths } = await (await fetch(`${holon.url}/api/openapi.json`)).json() as {
      paths: Record<string, Record<string, unknown>>;
    };
    const count = Object.values(paths).flatMap((item) => Object.keys(item)).length;
    assert.equal(await page.locator("details").count(), count);
    await openAll(page, count);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it("finds operations by path, word and code, and says when there are none", async () => {
    const page = await open();
    const search = page.getByLabel("Search the reference");
    await search.fill("lease_lost ack");
    await page.getByText("1 found").waitFor();
    assert.match(await page.locator("details").innerText(), /\{message\}\/ack/);
    await search.fill("nothing has this");
    await page.getByText("Nothing has all of these words").waitFor();
    assert.equal(await page.locator("details").count(), 0);
    await page.close();
  });

  it("is worked by keyboard alone, and has an address for each operation", async () => {
    const page = await open();
    await page.getByLabel("Search the reference").focus();
    await page.keyboard.type("claim");
    await page.getByText("1 found").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Answers" }).waitFor();
    const claim = "#post_api_agents_agent_messages_claim";
    assert.equal(new URL(page.url()).hash, claim);
    await page.close();
    const linked = await open({}, claim);
    await linked.locator(`${claim} .shape`).first().waitFor();
    assert.equal(await linked.locator("details[open]").count(), 1);
    assert.match(await linked.locator(claim).innerText(), /lease_s number · optional · How long/);
    await linked.close();
  });

  it("gives commands that a shell understands and the server answers", async () => {
    const page = await open({}, "#post_api_agents_agent_messages");
    const command = await page.locator("#post_api_agents_agent_messages pre").innerText();
    const answer = JSON.parse(execFileSync("sh", ["-c", command], { encoding: "utf8" }));
    assert.equal(answer.status, "accepted");
    await page.close();
  });

  it("copies a command", async () => {
    const context = await browser.newContext({
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await context.newPage();
    await page.goto(`${holon.url}/api/docs#get_api_agents`);
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    assert.equal(copied, `curl -sS ${holon.url}/api/agents`);
    await context.close();
  });

  for (const colorScheme of ["light", "dark"] as const) {
    it(`has nothing for axe to find in ${colorScheme}, wide and narrow`, async () => {
      for (const size of [{}, PHONE]) {
        const page = await open({ ...size, colorScheme, bypassCSP: true });
        for (const id of ["post_api_agents_agent_messages", "get_apps_agent_app_path"]) {
          await page.locator(`#${id} summary`).click();
          await page.locator(`#${id} .curl`).waitFor();
        }
        assert.deepEqual(await violationsOf(page), []);
        await page.close();
      }
    });
  }

  it("fits a phone without scrolling sideways", async () => {
    const page = await open(PHONE);
    await openAll(page, await page.locator("details").count());
    const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    assert.ok(over as number <= 0, `${over} px too wide`);
    await page.close();
  });

  it("says that the server is away, and goes on when it is back", async () => {
    const page = await browser.newPage();
    let isAway = true;
    await page.route("**/api/openapi.json", (route) => isAway ? route.abort() : route.continue());
    await page.goto(`${holon.url}/api/docs`);
    await page.getByText("Holon can't be reached").waitFor();
    isAway = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Agents and messages" }).waitFor();
    await page.close();
  });
});
