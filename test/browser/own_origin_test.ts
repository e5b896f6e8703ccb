/**
 * Own origins in Chromium: the ping card works there end to end, and a hostile app on an origin of
 * its own reaches nothing that isn't its own; nor does a service worker at the shared origin.
 */

import assert from "node:assert/strict";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { complaintsOf, launchBrowser, skipBrowser } from "./support/browser.ts";
import { type TestHome, testHome } from "./support/home.ts";

const TOKEN = "a-token-for-the-owner-of-this-home";
const WORKER = `process.stdin.resume().on("end", () => console.log("pong"));`;
const SERVICE_WORKER = `
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(clients.claim()));
self.addEventListener("fetch", (event) => event.respondWith(new Response("taken over")));
`;
const page = (title: string) =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1><script src="holon.js"></script></body></html>`;

for (const runtime of ["node", "bun", "deno"] as const) {
  describe(`own origins on ${runtime}`, { skip: skipBrowser }, () => {
    let home: TestHome;
    let holon: ServedHolon;
    let browser: Browser;
    let port: string;

    before(async () => {
      home = testHome();
      home.template("main", "ping-card");
      home.agent("main", { runner: { command: [process.execPath, "worker.mjs"] } });
      home.file("main", "worker.mjs", WORKER);
      for (const id of ["hostile", "bank", "shared", "sibling"]) {
        home.app("main", id, {
          "index.html": page(id),
          "secret.js": `self.secret = "of ${id}";`,
          "sw.js": SERVICE_WORKER,
        });
      }
      home.file(
        "..",
        "config.json",
        JSON.stringify({
          local_apps: { own_origin: ["main/ping-card", "main/hostile", "main/bank"] },
        }),
      );
      holon = await startHolon({
        home: home.path,
        program: PROGRAMS[runtime],
        env: { HOLON_CONTROL_TOKEN: TOKEN },
      });
      port = new URL(holon.url).port;
      browser = await launchBrowser();
    });

    after(async () => {
      await browser?.close();
      await holon?.stop();
      home?.remove();
    });

    /** A browser of the owner, who has signed in. */
    async function signedIn(): Promise<BrowserContext> {
      const context = await browser.newContext();
      const start = await context.newPage();
      await start.goto(`http://localhost:${port}/sign-in`);
      await start.fill("#token", TOKEN);
      await start.click("#submit");
      await start.waitForURL(`http://localhost:${port}/`);
      await start.close();
      return context;
    }

    async function open(context: BrowserContext, app: string): Promise<Page> {
      const opened = await context.newPage();
      await opened.goto(`http://localhost:${port}/apps/main/${app}/`);
      return opened;
    }

    /** Runs an async function's text in a page, with `port` and `bank` (an origin). */
    async function run(within: Page, body: string, bank = ""): Promise<unknown> {
      return await within.evaluate(
        `(async () => { const port = ${port}, bank = ${JSON.stringify(bank)}; ${body} })()`,
      );
    }

    it("opens the ping card from the home page, and it works there", async () => {
      const context = await signedIn();
      const main = await context.newPage();
      await main.goto(`http://localhost:${port}/`);
      const complaints = complaintsOf(main);
      await main.getByRole("link", { name: "Ping Card" }).click();
      await main.waitForURL(/^http:\/\/ping-card-[0-9a-f]{8}\.localhost:\d+\/$/);
      await main.getByText("Connected to agent: main").waitFor();
      await main.click("#ping-btn");
      await main.getByText("Done", { exact: true }).waitFor();
      await main.reload();
      await main.getByText("Connected to agent: main").waitFor();
      assert.equal(await run(main, "return document.cookie"), "");
      // Browsers look for an icon that the app doesn't have.
      assert.deepEqual(complaints.filter((text) => !text.includes("404")), []);

      // Its address works by itself too: by way of Holon's own origin.
      const { origin } = new URL(main.url());
      await context.clearCookies({ name: /^holon_app_/ });
      await main.goto(`${origin}/?from=bookmark#part`);
      assert.equal(main.url(), `${origin}/?from=bookmark#part`);
      await main.getByText("Connected to agent: main").waitFor();
      await context.close();
    });

    it("keeps a hostile app from all that is not its own", async () => {
      const context = await signedIn();
      const bank = await open(context, "bank");
      const bankOrigin = new URL(bank.url()).origin;
      await run(bank, `localStorage.setItem("account", "42"); await caches.open("account");`);
      const hostile = await open(context, "hostile");
      assert.match(hostile.url(), /^http:\/\/hostile-[0-9a-f]{8}\.localhost:\d+\/$/);

      const stolen = await run(
        hostile,
        `
        const found = [];
        const shared = "http://localhost:" + port;
        const targets = ["/", "/api/agents", "/api/control/runtime/config", "/api/auth/session/me",
          "/apps/main", "/apps/main/bank/", "/apps/main/shared/secret.js", "/sign-in"]
          .map((path) => shared + path)
          .concat(["/", "/secret.js", "/context", "/holon.js"].map((path) => bank + path));
        for (const url of targets) {
          for (const mode of ["cors", "no-cors"]) {
            for (const method of ["GET", "POST"]) {
              const response = await fetch(url, { mode, method, credentials: "include" })
                .catch(() => null);
              if (response !== null && response.type !== "opaque") found.push([url, mode, method]);
            }
          }
          const script = document.createElement("script");
          script.src = url;
          await new Promise((done) => {
            script.onload = () => done(found.push([url, "script"]));
            script.onerror = done;
            document.body.append(script);
          });
        }
        if (self.secret !== undefined) found.push(self.secret);
        // On its own host there is nothing of Holon's.
        for (const path of ["/api/agents", "/api/auth/session/me", "/sign-in", "/apps/main/bank/"]) {
          const response = await fetch(path);
          if (response.status !== 404) found.push([path, response.status]);
        }
        const posted = await fetch("/api/agents/main/messages", { method: "POST", body: "{}" });
        if (posted.status !== 405) found.push(["POST", posted.status]);
        return found;
        `,
        bankOrigin,
      );
      assert.deepEqual(stolen, []);

      assert.deepEqual(
        await run(
          hostile,
          `
          let domain = "refused";
          try { document.domain = "localhost"; domain = document.domain; } catch {}
          return [localStorage.length, (await caches.keys()).length, document.cookie,
            domain === "localhost"];
          `,
        ),
        [0, 0, "", false],
      );
      await context.close();
    });

    it("keeps a hostile app's cookies, frames and windows to itself", async () => {
      const context = await signedIn();
      const hostile = await open(context, "hostile");
      const bank = await open(context, "bank");
      const bankOrigin = new URL(bank.url()).origin;
      await run(
        hostile,
        `
        for (const domain of ["localhost", ".localhost", new URL(bank).hostname]) {
          for (const name of ["holon_session_" + port, "tossed"]) {
            document.cookie = name + "=x; Path=/; Domain=" + domain;
          }
        }
        `,
        bankOrigin,
      );
      const cookies = await context.cookies([bankOrigin, `http://localhost:${port}`]);
      assert.ok(cookies.every(({ value }) => value !== "x"), JSON.stringify(cookies));
      const session = cookies.find(({ name }) => name === `holon_session_${port}`);
      assert.equal(session?.domain, "localhost");
      const own = await context.cookies(hostile.url());
      assert.deepEqual(
        own.map(({ name, httpOnly, sameSite }) => [name.slice(0, 10), httpOnly, sameSite]),
        [["holon_app_", true, "Lax"]],
      );

      const urls = ["/", "/apps/main/bank/", "/apps/main/shared/"]
        .map((path) => `http://localhost:${port}${path}`).concat(`${bankOrigin}/`);
      await run(
        hostile,
        `
        await Promise.all(${JSON.stringify(urls)}.map((url) => new Promise((done) => {
          const frame = document.createElement("iframe");
          frame.onload = done;
          frame.src = url;
          document.body.append(frame);
        })));
        `,
      );
      const framed = hostile.frames().filter((frame) => frame !== hostile.mainFrame());
      assert.equal(framed.length, urls.length);
      for (const frame of framed) {
        const shown = await frame.evaluate("document.querySelector('h1')?.textContent");
        assert.ok(!["bank", "shared", "Holon"].includes(String(shown)), `${frame.url()}: ${shown}`);
        assert.notEqual(await frame.evaluate("document.title"), "bank");
      }

      const [popup] = await Promise.all([
        context.waitForEvent("page"),
        run(hostile, `self.handle = open("http://localhost:" + port + "/apps/main/bank/"); `),
      ]);
      await popup.waitForURL(`${bankOrigin}/`);
      assert.equal(await popup.evaluate("window.opener"), null);
      await hostile.waitForFunction("self.handle.closed");
      await context.close();
    });

    it("takes a ticket once", async () => {
      const context = await signedIn();
      const [entrance] = await Promise.all([
        context.waitForEvent("request", (request) => request.url().includes("holon_ticket=")),
        open(context, "bank"),
      ]);
      const used = entrance.url();
      const bankOrigin = new URL(used).origin;
      const thief = await browser.newContext();
      const tab = await thief.newPage();
      const response = await tab.goto(used);
      assert.equal(response?.status(), 401);
      assert.equal(new URL(tab.url()).hostname, "localhost");
      assert.deepEqual(await thief.cookies(bankOrigin), []);
      // The owner, who has the cookie, gets to the app by an old address.
      const owner = await context.newPage();
      await owner.goto(used);
      assert.equal(owner.url(), `${bankOrigin}/`);
      await Promise.all([context.close(), thief.close()]);
    });

    it("gives a service worker its own app and nothing else", async () => {
      const context = await signedIn();
      const shared = await open(context, "shared");
      const wide = await run(
        shared,
        `
        const outcomes = [];
        for (const scope of ["/", "/apps/", "/apps/main/", "/apps/main/sibling/"]) {
          const registered = navigator.serviceWorker.register("sw.js", { scope });
          outcomes.push(await registered.then(() => scope, (error) => error.name));
        }
        await navigator.serviceWorker.register("sw.js");
        await navigator.serviceWorker.ready;
        return outcomes;
        `,
      );
      assert.deepEqual(wide, Array(4).fill("SecurityError"));
      await shared.reload();
      assert.equal(await shared.locator("body").innerText(), "taken over");
      const sibling = await open(context, "sibling");
      assert.equal(await sibling.title(), "sibling");
      assert.equal(await run(sibling, "return navigator.serviceWorker.controller"), null);
      const main = await context.newPage();
      await main.goto(`http://localhost:${port}/`);
      await main.getByRole("link", { name: "Ping Card" }).waitFor();
      assert.equal(await run(main, "return navigator.serviceWorker.controller"), null);

      // With an origin of its own the whole of that origin, and no more.
      const hostile = await open(context, "hostile");
      await run(
        hostile,
        `await navigator.serviceWorker.register("sw.js", { scope: "/" });
        await navigator.serviceWorker.ready;`,
      );
      await hostile.reload();
      assert.equal(await hostile.locator("body").innerText(), "taken over");
      const bank = await open(context, "bank");
      assert.equal(await bank.title(), "bank");
      assert.equal(
        await run(bank, "return (await navigator.serviceWorker.getRegistrations()).length"),
        0,
      );
      await context.close();
    });

    it("opens no app without the owner's session", async () => {
      const stranger = await browser.newContext();
      const tab = await stranger.newPage();
      const response = await tab.goto(`http://localhost:${port}/apps/main/bank/`);
      assert.equal(response?.status(), 401);
      await stranger.close();

      const context = await signedIn();
      const bank = await open(context, "bank");
      assert.equal(await run(bank, `return (await fetch("context")).status`), 200);
      const main = await context.newPage();
      await main.goto(`http://localhost:${port}/`);
      await run(main, `await fetch("/api/auth/session/logout", { method: "POST" })`);
      assert.equal(await run(bank, `return (await fetch("context")).status`), 401);
      await context.close();
    });
  });
}
