import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { complaintsOf, launchBrowser, skipBrowser } from "./support/browser.ts";
import { sdkPage, type TestHome, testHome } from "./support/home.ts";
import { until } from "../support/until.ts";

/** Runs the SDK and keeps what it gives where the test finds it. */
const COLLECT = `
window.got = [];
window.done = (async () => {
  window.context = await Holon.context();
  for await (const { event } of Holon.events()) window.got.push([event.type, event.request_id]);
})();
`;

const STRICT_CSP = "default-src 'self'";

for (const runtime of ["node", "bun", "deno"] as const) {
  describe(`holon.js on ${runtime}`, { skip: skipBrowser }, () => {
    let home: TestHome;
    let holon: ServedHolon;
    let browser: Browser;

    before(async () => {
      home = testHome();
      home.app("main", "sdk", {
        "index.html": sdkPage("collect.js"),
        "deep/page.html": sdkPage("../collect.js", "../holon.js"),
        "collect.js": COLLECT,
        "plain.html": sdkPage("nothing.js"),
        "nothing.js": "",
        "module.html":
          `<!DOCTYPE html><title>m</title><script type="module" src="module.js"></script>`,
        "module.js": `import { createHolonApp, Holon, HolonError } from "./holon.mjs";
          window.seen = [Holon, createHolonApp()].map((app) => app.context());
          window.refused = Holon.request("no spaces").catch((error) => error instanceof HolonError);`,
        "twice.html":
          `<!DOCTYPE html><title>x</title><script src="first.js"></script><script src="holon.js"></script>`,
        "first.js": "window.Holon = { mine: true };",
      });
      holon = await startHolon({ home: home.path, program: PROGRAMS[runtime] });
      browser = await launchBrowser();
    });

    after(async () => {
      await browser?.close();
      await holon?.stop();
      home?.remove();
    });

    async function open(path: string): Promise<{ page: Page; complaints: string[] }> {
      const page = await browser.newPage();
      const complaints = complaintsOf(page);
      await page.goto(`${holon.url}/apps/main/sdk/${path}`);
      return { page, complaints };
    }

    for (const path of ["", "deep/page.html"]) {
      it(`knows its app, sends requests and sees what becomes of them from "${path}"`, async () => {
        const { page, complaints } = await open(path);
        await page.waitForFunction("window.context");
        assert.deepEqual(await page.evaluate("window.context"), {
          sdk_version: "1",
          agent_id: "main",
          app_id: "sdk",
          session: { authenticated: true },
        });
        const receipt = await page.evaluate("Holon.request('ping', { n: 1 }, 'r1')") as Record<
          string,
          unknown
        >;
        const { ok, version, request_id, agent_id, app_id, status, message_id } = receipt;
        assert.deepEqual([ok, version, request_id, agent_id, app_id, status], [
          true,
          "1",
          "r1",
          "main",
          "sdk",
          "accepted",
        ]);
        assert.match(String(message_id), /^msg_/);
        await page.waitForFunction("window.got.length > 0");
        assert.deepEqual(await page.evaluate("window.got[0]"), ["message_enqueued", "r1"]);
        assert.deepEqual(complaints, []);
        await page.close();
      });
    }

    it("is an ES module too", async () => {
      const { page } = await open("module.html");
      await page.waitForFunction("window.refused");
      const contexts = await page.evaluate("Promise.all(window.seen)") as { app_id: string }[];
      assert.deepEqual(contexts.map(({ app_id }) => app_id), ["sdk", "sdk"]);
      assert.equal(await page.evaluate("window.refused"), true);
      assert.equal(await page.evaluate("typeof window.Holon"), "undefined");
      await page.close();
    });

    it("defines a frozen window.Holon, and leaves one that is there", async () => {
      const { page } = await open("plain.html");
      assert.deepEqual(
        await page.evaluate(`[
          Object.isFrozen(Holon), Holon.version, Object.keys(Holon).sort().join(),
          (() => { try { "use strict"; Holon = 1; } catch {} return typeof Holon.context; })(),
        ]`),
        [true, "1", "context,events,request,version", "function"],
      );
      await page.goto(`${holon.url}/apps/main/sdk/twice.html`);
      assert.deepEqual(await page.evaluate("Holon"), { mine: true });
      await page.close();
    });

    it("throws a HolonError with the server's sentence and code", async () => {
      const { page } = await open("plain.html");
      const error = await page.evaluate(`Holon.request("no spaces").catch((error) => ({
        name: error.name, status: error.status, code: error.code, message: error.message,
      }))`) as Record<string, unknown>;
      assert.deepEqual([error["name"], error["status"], error["code"]], [
        "HolonError",
        400,
        "bad_request",
      ]);
      assert.ok(String(error["message"]).length > 10);
      await page.close();
    });

    it("works under a strict content security policy", async () => {
      const change = await fetch(`${holon.url}/api/control/runtime/config`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ updates: [{ key: "local_apps.csp", value: STRICT_CSP }] }),
      });
      assert.equal(change.status, 200);
      await untilPolicy(`${holon.url}/apps/main/sdk/`);
      const { page, complaints } = await open("");
      // Playwright's own waiting evaluates text in the page, which the policy forbids.
      await until(() => page.evaluate("window.context !== undefined"));
      await page.evaluate("Holon.request('ping', null, 'r2')");
      await until(() => page.evaluate("window.got.length > 0"));
      assert.deepEqual(complaints, []);
      await page.close();
    });
  });
}

/** Waits until the reload of the configuration has been applied. */
async function untilPolicy(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(url);
    await response.arrayBuffer();
    if (response.headers.get("content-security-policy") === STRICT_CSP) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
