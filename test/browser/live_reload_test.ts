/** Live reload in Chromium. */

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { startScript } from "../support/runtime.ts";
import { until } from "../support/until.ts";
import { complaintsOf, launchBrowser, skipBrowser } from "./support/browser.ts";
import { type TestHome, testHome } from "./support/home.ts";
import { processorMs, watchedFolders } from "./support/server_watch.ts";

/** Counts the times that a tab loads the page; `note` is what a reload loses. */
const COUNT = `
sessionStorage.loads = Number(sessionStorage.loads ?? 0) + 1;
window.note = null;
`;
const page = (body: string, sdk = '<script src="holon.js"></script>') =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Test</title>
<link rel="stylesheet" href="css/a%20b.css"><link rel="stylesheet" href="other.css?v=1">
<script src="count.js"></script>${sdk}</head><body><h1>Test</h1><p>${body}</p></body></html>`;

/** Longer than a change takes to be told, and a page to be loaded. */
const CALM_MS = 1_500;

for (const runtime of ["node", "bun", "deno"] as const) {
  describe(`live reload on ${runtime}`, { skip: skipBrowser }, () => {
    let home: TestHome;
    let holon: ServedHolon;
    let browser: Browser;
    let profile: BrowserContext;
    let complaints: string[];

    before(async () => {
      home = testHome();
      home.file("main", "apps/.keep", "");
      holon = await startHolon({ home: home.path, program: PROGRAMS[runtime] });
      browser = await launchBrowser();
    });
    after(async () => {
      await browser?.close();
      await holon?.stop();
      home?.remove();
    });
    beforeEach(async () => {
      await profile?.close();
      profile = await browser.newContext();
      // Headless tabs are all visible: tests say which are not.
      await profile.addInitScript(`Object.defineProperty(document, "visibilityState", {
        get: () => window.isHidden ? "hidden" : "visible",
      })`);
    });

    /** A test of what happens in the browser, and is the same whatever runtime serves it. */
    function once(name: string, test: () => Promise<void>): void {
      if (runtime === "node") it(name, test);
    }

    function path(relative: string): string {
      return join(home.path, "agents/main/apps", relative);
    }

    function write(relative: string, content: string | Uint8Array): void {
      mkdirSync(dirname(path(relative)), { recursive: true });
      writeFileSync(path(relative), content);
    }

    /** Writes an app with two stylesheets, and opens it. */
    async function openApp(id: string, index = page("1"), query = ""): Promise<Page> {
      write(`${id}/count.js`, COUNT);
      write(`${id}/css/a b.css`, "h1 { color: rgb(1, 1, 1) }");
      write(`${id}/other.css`, "p { color: rgb(1, 1, 1) }");
      write(`${id}/index.html`, index);
      return await openTab(`/apps/main/${id}/${query}`);
    }

    /** Opens a page, and waits until its app is watched. */
    async function openTab(address: string): Promise<Page> {
      const tab = await profile.newPage();
      complaints = complaintsOf(tab);
      await tab.goto(holon.url + address);
      return tab;
    }

    const isWatched = () => until(() => watchedFolders(holon.script.pid) > 0);
    /** How often a tab has loaded its page; 0 while it does. */
    async function loads(tab: Page): Promise<number> {
      try {
        return await tab.evaluate("document.readyState === 'complete' ? +sessionStorage.loads : 0");
      } catch {
        return 0;
      }
    }
    const loaded = (tab: Page, times: number) => until(async () => await loads(tab) === times);
    const color = (tab: Page, selector: string) =>
      tab.evaluate(`getComputedStyle(document.querySelector("${selector}")).color`);

    async function configure(
      value: readonly string[] | string | null,
      key = "local_apps.live_reload",
    ): Promise<void> {
      const changed = await fetch(`${holon.url}/api/control/runtime/config`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ updates: [{ key, value }] }),
      });
      assert.doesNotMatch(await changed.text(), /"rejected"/);
    }

    it("loads the page anew once for a burst of writes, then again", async () => {
      const tab = await openApp("burst");
      await isWatched();
      for (let index = 0; index < 20; index++) {
        write(`burst/f${index}.js`, "x");
        write("burst/index.html", page(`2 ${index}`));
        await delay(20);
      }
      await loaded(tab, 2);
      assert.equal(await tab.textContent("p"), "2 19");
      await delay(CALM_MS);
      assert.equal(await loads(tab), 2);
      write("burst/index.html", page("3"));
      await loaded(tab, 3);
      assert.deepEqual(complaints, []);
    });

    once("loads no page anew that nothing happened to", async () => {
      const tab = await openApp("still");
      await isWatched();
      await delay(CALM_MS);
      assert.equal(await loads(tab), 1);
    });

    it("swaps stylesheets and keeps the page", async () => {
      const tab = await openApp("styles");
      await isWatched();
      await delay(CALM_MS);
      await tab.evaluate("window.note = 'kept'");
      write("styles/css/a b.css", "h1 { color: rgb(2, 2, 2) }");
      await until(async () => await color(tab, "h1") === "rgb(2, 2, 2)");
      write("styles/css/a b.css", "h1 { color: rgb(3, 3, 3) }");
      write("styles/other.css", "p { color: rgb(4, 4, 4) }");
      await until(async () => await color(tab, "h1") === "rgb(3, 3, 3)");
      await until(async () => await color(tab, "p") === "rgb(4, 4, 4)");
      await until(async () => await tab.locator("link").count() === 2);
      assert.equal(await tab.evaluate("window.note"), "kept");
      write("styles/index.html", page("2"));
      await loaded(tab, 2);
      assert.deepEqual(complaints, []);
    });

    once("loads the page anew for a stylesheet that it has no link to", async () => {
      write("import/inner.css", "h1 { color: rgb(5, 5, 5) }");
      const tab = await openApp("import");
      write("import/css/a b.css", '@import "../inner.css";');
      await loaded(tab, 2);
      await until(async () => await color(tab, "h1") === "rgb(5, 5, 5)");
      write("import/inner.css", "h1 { color: rgb(6, 6, 6) }");
      await loaded(tab, 3);
      await until(async () => await color(tab, "h1") === "rgb(6, 6, 6)");
    });

    it("sees new folders, files that a rename replaces, and folders that are swapped", async () => {
      const tab = await openApp("swap");
      await isWatched();
      await delay(CALM_MS);
      write("swap/new/deep/x.js", "x");
      await loaded(tab, 2);
      await delay(CALM_MS);
      write("next.html", page("3"));
      renameSync(path("next.html"), path("swap/index.html"));
      await loaded(tab, 3);
      await delay(CALM_MS);
      write("swap2/count.js", COUNT);
      write("swap2/index.html", page("4"));
      renameSync(path("swap"), path("old"));
      renameSync(path("swap2"), path("swap"));
      await loaded(tab, 4);
      assert.equal(await tab.textContent("p"), "4");
      write("swap/index.html", page("5"));
      await loaded(tab, 5);
    });

    once("waits with the page while it is gone", async () => {
      const tab = await openApp("gone");
      await isWatched();
      await delay(CALM_MS);
      rmSync(path("gone/index.html"));
      await delay(CALM_MS);
      assert.equal(await tab.textContent("p"), "1");
      write("gone/index.html", page("2"));
      await loaded(tab, 2);
      assert.equal(await tab.textContent("p"), "2");
    });

    once("finds what changed while the page was being loaded", async () => {
      write("slow/late.js", "");
      const index = page("1").replace("</body>", '<script src="late.js"></script></body>');
      await profile.route("**/late.js", async (route) => {
        write("slow/index.html", index.replace("<p>1", "<p>2"));
        await route.continue();
      }, { times: 1 });
      const tab = await openApp("slow", index);
      await loaded(tab, 2);
      assert.equal(await tab.textContent("p"), "2");
      await delay(CALM_MS);
      assert.equal(await loads(tab), 2);
    });

    once("works for the module, for nested pages, and under a strict policy", async () => {
      await configure("default-src 'self'", "local_apps.csp");
      const module = '<script type="module" src="app.js"></script>';
      write("module/app.js", 'import { Holon } from "./holon.mjs"; window.agent = Holon;');
      write("nested/sub/index.html", page("1", '<script src="../holon.js"></script>'));
      write("nested/sub/count.js", COUNT);
      const tabs = [await openApp("module", page("1", module))];
      assert.deepEqual(complaints, []);
      write("nested/index.html", page("0"));
      tabs.push(await openTab("/apps/main/nested/sub/index.html"));
      await isWatched();
      await delay(CALM_MS);
      write("module/index.html", page("2", module));
      write("nested/other.js", "x");
      for (const tab of tabs) await loaded(tab, 2);
      await configure(null, "local_apps.csp");
    });

    once("works for an app with an origin of its own, beside its events too", async () => {
      write("own/app.js", "window.go = () => Holon.events().next();");
      const script = '<script src="holon.js"></script><script src="app.js"></script>';
      const address = `http://localhost:${new URL(holon.url).port}/apps/main/own/`;
      await configure(["main/own"], "local_apps.own_origin");
      const tab = await openApp("own", page("1", script));
      await tab.goto(address);
      assert.match(tab.url(), /^http:\/\/own-[0-9a-f]{8}\.localhost:/);
      await isWatched();
      await delay(CALM_MS);
      const before = await loads(tab);
      write("own/index.html", page("2", script));
      await loaded(tab, before + 1);
      await tab.evaluate("void go()");
      await delay(CALM_MS);
      write("own/index.html", page("3", script));
      await loaded(tab, before + 2);
      await configure([], "local_apps.own_origin");
    });

    once("works where pages can't share a stream", async () => {
      await profile.addInitScript(
        'Object.defineProperty(navigator, "locks", { value: undefined });',
      );
      const tabs = [await openApp("alone"), await openTab("/apps/main/alone/")];
      await isWatched();
      await delay(CALM_MS);
      write("alone/index.html", page("2"));
      for (const tab of tabs) await loaded(tab, 2);
    });

    once("leaves pages alone that say so, and those that don't load the SDK", async () => {
      const off = '<script src="holon.js" data-holon-reload="off"></script>';
      await until(() => watchedFolders(holon.script.pid) === 0);
      const tabs = [await openApp("off", page("1", off)), await openApp("plain", page("1", ""))];
      await delay(CALM_MS);
      assert.equal(watchedFolders(holon.script.pid), 0);
      write("off/index.html", page("2", off));
      write("plain/index.html", page("2", ""));
      await delay(CALM_MS);
      for (const tab of tabs) assert.equal(await loads(tab), 1);
    });

    it("watches nothing for apps that no page has open", async () => {
      await until(() => watchedFolders(holon.script.pid) === 0);
      const [one, two] = [await openApp("w1"), await openApp("w2")];
      await until(() => watchedFolders(holon.script.pid) === 4);
      await two.close();
      await until(() => watchedFolders(holon.script.pid) === 2);
      await one.evaluate(`
        window.isHidden = true;
        document.dispatchEvent(new Event("visibilitychange"));
      `);
      await until(() => watchedFolders(holon.script.pid) === 0);
    });

    once("tells a hidden page when it is seen again", async () => {
      const tab = await openApp("hidden");
      await isWatched();
      await delay(CALM_MS);
      const show = (hidden: boolean) =>
        tab.evaluate(`
          window.isHidden = ${hidden};
          document.dispatchEvent(new Event("visibilitychange"));
        `);
      await show(true);
      await until(() => watchedFolders(holon.script.pid) === 0);
      await show(false);
      await isWatched();
      await delay(CALM_MS);
      assert.equal(await loads(tab), 1);
      await show(true);
      await until(() => watchedFolders(holon.script.pid) === 0);
      rmSync(path("hidden/other.css"));
      await delay(CALM_MS);
      assert.equal(await loads(tab), 1);
      await show(false);
      await loaded(tab, 2);
    });

    once("can be turned off and on while it runs", async () => {
      const tab = await openApp("setting");
      await isWatched();
      const isLive = async () => {
        const script = await fetch(`${holon.url}/apps/main/setting/holon.js`);
        return (await script.text()).includes("data-holon-reload");
      };
      assert.ok(await isLive());
      await configure("off");
      await until(async () => !await isLive());
      await until(() => watchedFolders(holon.script.pid) === 0);
      write("setting/index.html", page("2"));
      await delay(CALM_MS);
      assert.equal(await loads(tab), 1);
      await configure("on");
      await until(isLive);
      await tab.reload();
      await isWatched();
      write("setting/index.html", page("3"));
      await loaded(tab, 3);
      await configure("auto");
    });

    it("goes on at the newest state of a folder that changes 1,000 times a second", async () => {
      const [hostile, other] = [await openApp("hostile"), await openApp("calm")];
      await isWatched();
      await delay(CALM_MS);
      const before = processorMs(holon.script.pid);
      const begun = performance.now();
      const writer = startScript("test/browser/support/busy_writer.ts", {
        command: [PROGRAMS.node[0]!, "test/browser/support/busy_writer.ts", path("hostile"), "6"],
      });
      let slowest = 0;
      let answers = 0;
      const end = writer.exited.then(() => answers = -answers);
      while (answers >= 0) {
        const asked = performance.now();
        const answer = await fetch(`${holon.url}/apps/main/calm/index.html?${answers}`);
        await answer.arrayBuffer();
        slowest = Math.max(slowest, performance.now() - asked);
        answers++;
        await delay(20);
      }
      await end;
      const elapsed = performance.now() - begun;
      const share = (processorMs(holon.script.pid) - before) / elapsed;
      const [, changes] = await writer.line(/^(\d+) changes$/);
      assert.ok(Number(changes) > 1_000, `${changes} changes`);
      assert.ok(share < 0.5, `${share} of a processor`);
      assert.ok(slowest < 2_000, `${slowest} ms`);
      const times = await loads(hostile);
      // A writer that a busy machine holds up ends a burst: each takes 100 ms of quiet and 200 of rest.
      assert.ok(times < 2 + elapsed / 300, `${times} loads in ${elapsed} ms`);
      assert.equal(await loads(other), 1);
      await until(async () => await hostile.textContent("p").catch(() => "") === "the end");
    });

    once("puts nothing into the files of an app (BR-49)", async () => {
      const files: Readonly<Record<string, string | Uint8Array>> = {
        "index.html":
          "<!DOCTYPE html><html><body><script src=holon.js></script><script>var a='</body>'; " +
          'var b="$& $1 $$ $`"; window.done=a.length</script><!-- </body> -->' +
          "<textarea></body></textarea></body></html>",
        "min.html": "<!doctype html><title>t</title><script src=holon.js></script><p id=x>x",
        "frag.html": "<svg><path/></svg><svg><path/></svg>",
        "pic.svg": "<svg xmlns='http://www.w3.org/2000/svg'><path/></svg>",
        "empty.html": "",
        "u16.html": Uint8Array.from([0xff, 0xfe, 0x3c, 0, 0x70, 0, 0x3e, 0, 0xe4, 0]),
      };
      for (const [name, content] of Object.entries(files)) write(`inj/${name}`, content);
      const tab = await openTab("/apps/main/inj/");
      await isWatched();
      assert.equal(await tab.evaluate("window.done"), 7);
      assert.equal(await tab.inputValue("textarea"), "</body>");
      for (const name of Object.keys(files)) {
        const bytes = readFileSync(path(`inj/${name}`));
        const address = `${holon.url}/apps/main/inj/${name}`;
        // A file that was just written has another tag at each look.
        await until(async () => {
          const { headers } = await fetch(address, { method: "HEAD" });
          return !headers.get("etag")!.startsWith("W/");
        });
        const response = await fetch(address);
        assert.deepEqual(new Uint8Array(await response.arrayBuffer()), new Uint8Array(bytes));
        const head = await fetch(address, { method: "HEAD" });
        assert.equal(head.headers.get("content-length"), String(bytes.byteLength));
        assert.equal(head.headers.get("etag"), response.headers.get("etag"));
        const range = await fetch(address, { headers: { range: "bytes=5-20" } });
        if (bytes.byteLength > 5) {
          const part = new Uint8Array(await range.arrayBuffer());
          assert.deepEqual(part, new Uint8Array(bytes.subarray(5, 21)));
        }
      }
      const small = await openTab("/apps/main/inj/min.html");
      assert.equal(await small.title(), "t");
      await delay(CALM_MS);
      write("inj/min.html", "<!doctype html><title>t2</title><script src=holon.js></script>");
      await small.waitForFunction("document.title === 't2'");
    });
  });
}
