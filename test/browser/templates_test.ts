import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { until } from "../support/until.ts";
import { violationsOf } from "./support/axe.ts";
import { complaintsOf, launchBrowser, skipBrowser } from "./support/browser.ts";
import { type TestHome, testHome } from "./support/home.ts";

const PHONE = { width: 360, height: 740 };

describe("templates", { skip: skipBrowser }, () => {
  let home: TestHome;
  let holon: ServedHolon;
  let browser: Browser;

  before(async () => {
    home = testHome();
    for (const name of ["blank", "card", "ping-card", "wasm"] as const) home.template("main", name);
    holon = await startHolon({ home: home.path, program: PROGRAMS.node });
    browser = await launchBrowser();
  });

  after(async () => {
    await browser?.close();
    await holon?.stop();
    home?.remove();
  });

  async function open(name: string): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${holon.url}/apps/main/${name}/`);
    return { page, complaints };
  }

  /** Changes `local_apps.profile`, and waits until it counts. */
  async function setProfile(value: "open" | "strict"): Promise<void> {
    const changed = await fetch(`${holon.url}/api/control/runtime/config`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ updates: [{ key: "local_apps.profile", value }] }),
    });
    assert.equal(changed.status, 200);
    await until(async () => {
      const response = await fetch(`${holon.url}/apps/main/ping-card/`);
      await response.arrayBuffer();
      return response.headers.has("content-security-policy") === (value === "strict");
    });
  }

  it("blank knows its agent", async () => {
    const { page, complaints } = await open("blank");
    await page.getByText("This is blank, an app of the agent main.").waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it("card sends a task and follows it", async () => {
    const { page, complaints } = await open("card");
    await page.getByText("Goes to the agent main.").waitFor();
    await page.getByLabel("What should the agent do?").fill("Water the plants");
    await page.getByRole("button", { name: "Send" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "Water the plants" });
    await row.getByText("waiting").waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it("wasm draws with its module, and draws anew when one zooms", async () => {
    const { page, complaints } = await open("wasm");
    await page.getByText("480 × 320 points in").waitFor();
    const picture = () => page.evaluate("document.querySelector('canvas').toDataURL()");
    const first = await picture();
    await page.getByRole("button", { name: "Closer" }).click();
    assert.notEqual(await picture(), first);
    await page.getByRole("button", { name: "Farther" }).click();
    assert.equal(await picture(), first);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it("ping-card works under the strict profile", async () => {
    await setProfile("strict");
    try {
      const { page, complaints } = await open("ping-card");
      await page.getByText("Connected to agent: main").waitFor();
      await page.getByRole("button", { name: "Ping" }).click();
      await page.getByText("Accepted", { exact: true }).waitFor();
      assert.match(await page.locator("#output").innerText(), /"status": "accepted"/);
      assert.deepEqual(complaints, []);
      await page.close();
    } finally {
      await setProfile("open");
    }
  });

  for (const colorScheme of ["light", "dark"] as const) {
    it(`have nothing for axe to find in ${colorScheme}, and fit a phone`, async () => {
      for (const name of ["blank", "card", "ping-card", "wasm"]) {
        const page = await browser.newPage({ colorScheme, viewport: PHONE, bypassCSP: true });
        await page.goto(`${holon.url}/apps/main/${name}/`);
        await page.getByText(/main|points/).first().waitFor();
        assert.deepEqual(await violationsOf(page), [], name);
        const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assert.ok(over as number <= 0, `${name} is ${over} px too wide`);
        await page.close();
      }
    });
  }
});
