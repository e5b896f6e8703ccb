/** The templates, made by `holon apps new`, doing their job with a runner. */

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, afterEach, before, describe, it } from "node:test";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { run } from "../cli/memory_io.ts";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { until } from "../support/until.ts";
import { violationsOf } from "./support/axe.ts";
import { complaintsOf, launchBrowser, skipBrowser } from "./support/browser.ts";
import { type TestHome, testHome } from "./support/home.ts";
import { type Relay, startRelay } from "./support/relay.ts";

const PHONE = { width: 390, height: 844 };
const TEMPLATES = ["card", "dashboard", "form", "game", "wasm", "blank"] as const;
type Template = typeof TEMPLATES[number];

/** Is at work as long as there is a file `hold`; fails where it is told to. */
const WORKER = `
import { existsSync } from "node:fs";
let text = "";
for await (const chunk of process.stdin) text += chunk;
while (existsSync("hold")) await new Promise((resolve) => setTimeout(resolve, 20));
process.exitCode = text.includes("please fail") ? 1 : 0;
`;

describe("templates", { skip: skipBrowser }, () => {
  let home: TestHome;
  let holon: ServedHolon;
  let relay: Relay;
  let browser: Browser;
  let context: BrowserContext | undefined;

  before(async () => {
    home = testHome();
    home.agent("main", { runner: { command: [process.execPath, "worker.mjs"] } });
    home.file("main", "worker.mjs", WORKER);
    for (const template of TEMPLATES) {
      const args = ["apps", "new", `my-${template}`, "--template", template];
      const { code, err } = await run(args, { home: home.path });
      assert.equal(code, 0, err);
    }
    home.template("main", "ping-card");
    holon = await startHolon({ home: home.path, program: PROGRAMS.node });
    relay = await startRelay(Number(new URL(holon.url).port));
    browser = await launchBrowser();
  });

  after(async () => {
    await browser?.close();
    await relay?.close();
    await holon?.stop();
    home?.remove();
  });

  afterEach(async () => {
    release();
    await context?.close();
    context = undefined;
  });

  /** Opens a template's app as a visitor of its own. */
  async function open(
    template: Template,
    options: BrowserContextOptions = {},
    prepare: (context: BrowserContext) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<{ page: Page; complaints: string[] }> {
    await context?.close();
    context = await browser.newContext(options);
    context.setDefaultTimeout(15_000);
    await prepare(context);
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${relay.url}/apps/main/my-${template}/`);
    return { page, complaints };
  }

  /** Keeps the agent at work on the next message. */
  const hold = () => home.file("main", "hold", "");
  const release = () => rmSync(join(home.path, "agents/main/hold"), { force: true });

  /** The messages of a template's app with their states, oldest first. */
  async function messagesOf(template: Template): Promise<readonly string[]> {
    const response = await fetch(`${holon.url}/api/agents/main/messages`);
    const { messages } = await response.json() as {
      messages: { origin: string; status: string }[];
    };
    return messages.filter(({ origin }) => origin === `app:my-${template}`)
      .map(({ status }) => status).reverse();
  }

  it("blank knows its agent", async () => {
    const { page, complaints } = await open("blank");
    await page.getByRole("heading", { name: "My Blank" }).waitFor();
    await page.getByText("This is my-blank, an app of the agent main.").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("card sends tasks, follows them, and remembers them over a reload", async () => {
    hold();
    const { page, complaints } = await open("card");
    const row = (text: string) => page.getByRole("listitem").filter({ hasText: text });
    await page.getByText("Goes to the agent main.").waitFor();
    const task = page.getByLabel("What should the agent do?");
    await task.fill("Water the plants");
    await page.getByRole("button", { name: "Send" }).click();
    await row("Water the plants").getByText("at work").waitFor();
    await task.fill("Sink, please fail");
    await task.press("Control+Enter");
    await row("Sink, please fail").getByText("waiting").waitFor();
    await page.reload();
    await row("Water the plants").getByText("at work").waitFor();
    release();
    await row("Water the plants").getByText("done").waitFor();
    await row("Sink, please fail").getByText("failed").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("card gives a task back that was not sent", async () => {
    const { page } = await open("card");
    await page.getByText("Goes to the agent main.").waitFor();
    await page.route("**/request", (route) => route.abort());
    await page.getByLabel("What should the agent do?").fill("Fly");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("listitem").getByText("not sent").waitFor();
    await page.getByText("Holon can't be reached").waitFor();
    assert.equal(await page.getByLabel("What should the agent do?").inputValue(), "Fly");
  });

  /** A counter of the dashboard. */
  const counter = async (page: Page, id: string, count: number) =>
    await page.locator(`#${id}`).getByText(String(count), { exact: true }).waitFor();

  it("dashboard follows what it asks for, live and after a reload", async () => {
    hold();
    const { page, complaints } = await open("dashboard");
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("What main does for this app").waitFor();
    await page.getByRole("button", { name: "Check everything" }).click();
    await page.getByRole("button", { name: "Tidy up" }).click();
    await counter(page, "waiting", 1);
    await counter(page, "working", 1);
    const rows = page.getByRole("row");
    await rows.filter({ hasText: "Check everything" }).getByText("At work").waitFor();

    const seen = relay.streams.length;
    await page.reload();
    await counter(page, "working", 1);
    await until(() => relay.streams.length > seen);
    // It goes on after what it has seen: three events of two requests.
    assert.ok(Number(relay.streams.at(-1)!.lastEventId) >= 3);
    await page.evaluate("Holon.request('custom', 'please fail', 'custom~1')");
    release();
    await counter(page, "done", 2);
    await counter(page, "failed", 1);
    await rows.filter({ hasText: "custom" }).getByText("Failed").waitFor();
    await page.getByRole("img", { name: "In the last 30 minutes: 2 done, 1 failed" }).waitFor();
    assert.ok(await page.locator("#chart rect.done").count() > 0);

    // Another visitor sees what became of these as well, from the events that are kept.
    const { page: other } = await open("dashboard");
    await counter(other, "done", 2);
    await other.getByRole("row").filter({ hasText: "Tidy up" }).getByText("Done").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("dashboard says when its connection is lost, and mends it", async () => {
    const { page } = await open("dashboard");
    await page.getByText("Live", { exact: true }).waitFor();
    relay.cut();
    await page.getByText("Connection lost, trying again…").waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
  });

  it("dashboard tells what is not known any more after a gap, and why it was refused", async () => {
    const stream = (body: string) => ({ contentType: "text/event-stream", body });
    const { page } = await open("dashboard", {}, async (context) => {
      await context.route("**/events", async (route) => {
        const event = {
          sequence: 7,
          type: "message_enqueued",
          timestamp: new Date().toISOString(),
          message_id: "m",
          request_id: "check~1",
        };
        await route.fulfill(stream(
          `id: 7\nevent: holon_event\ndata: ${JSON.stringify({ event })}\n\n` +
            `event: holon_gap\ndata: {"after":7,"oldest":90}\n\n`,
        ));
      }, { times: 1 });
    });
    await page.getByText("what became of one request is not known").waitFor();
    await page.getByRole("row").filter({ hasText: "Check everything" }).getByText("Not known")
      .waitFor();
    await page.route("**/events", (route) =>
      route.fulfill({
        status: 401,
        json: { ok: false, error: "The session has ended", code: "auth_required" },
      }));
    await page.reload();
    await page.getByText("Not connected", { exact: true }).waitFor();
    await page.getByRole("alert").getByText("The session has ended").waitFor();
  });

  /** Fills the form in, with nothing wrong. */
  async function fill(page: Page, title: string): Promise<void> {
    await page.getByLabel("Title").fill(title);
    await page.getByLabel("Task", { exact: true }).check();
    await page.getByLabel("Details").fill("As soon as it rains");
  }
  const send = (page: Page) => page.getByRole("button", { name: "Send" }).click();

  it("form says what is wrong with each field, and goes to the first", async () => {
    const { page, complaints } = await open("form");
    await page.getByText("Goes to the agent main.").waitFor();
    await page.getByLabel("Needed by").fill("2020-02-02");
    await send(page);
    const title = page.getByLabel("Title");
    for (
      const [label, words] of [
        ["Title", "Give it a title."],
        ["Details", "Say what it is about."],
        ["Needed by", "This day has passed."],
      ] as const
    ) {
      const field = page.getByLabel(label);
      assert.equal(await field.getAttribute("aria-invalid"), "true");
      const described = (await field.getAttribute("aria-describedby"))!.split(" ").at(-1);
      assert.equal(await page.locator(`#${described}`).innerText(), words);
    }
    assert.equal(await page.evaluate("document.activeElement.id"), "title");
    await title.fill("ab");
    await page.getByText("A title has 3 characters or more.").waitFor();
    await title.fill("abc");
    assert.equal(await title.getAttribute("aria-invalid"), null);
    assert.deepEqual(await messagesOf("form"), []);
    assert.deepEqual(complaints, []);
  });

  it("form keeps its draft over a live reload, and is followed to its end", async () => {
    hold();
    const { page, complaints } = await open("form");
    await page.getByText("Goes to the agent main.").waitFor();
    await fill(page, "Bring the chairs in");
    await page.getByText("Draft kept").waitFor();
    // Once its folder is watched, a file that the agent writes loads the page anew.
    await until(async () => {
      home.file("main", "apps/my-form/answer.json", JSON.stringify({ at: performance.now() }));
      return await page.getByText("Your draft is back").waitFor({ timeout: 1_000 })
        .then(() => true, () => false);
    });
    await page.locator("[value=task]:checked").waitFor();
    assert.equal(await page.getByLabel("Title").inputValue(), "Bring the chairs in");
    await page.getByText("Goes to the agent main.").waitFor();
    await send(page);
    const item = page.getByRole("listitem").filter({ hasText: "Bring the chairs in" });
    await item.getByText("The agent is working on it").waitFor();
    await fill(page, "Then, please fail");
    await send(page);
    const second = page.getByRole("listitem").filter({ hasText: "Then, please fail" });
    await second.getByText("Queued").waitFor();
    assert.equal(await page.getByLabel("Title").inputValue(), "");
    await page.reload();
    await item.getByText("The agent is working on it").waitFor();
    release();
    await item.getByText("Done").waitFor();
    await second.getByText("Failed").waitFor();
    assert.equal(await item.getByRole("progressbar").getAttribute("value"), "3");
    assert.deepEqual(complaints, []);
  });

  it("form is sent once, though the answer to the first try got lost", async () => {
    const before = (await messagesOf("form")).length;
    const keys: (string | undefined)[] = [];
    const { page } = await open("form");
    await page.route("**/events", (route) => route.abort());
    await page.route("**/request", async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      if (keys.length > 1) return await route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.reload();
    await fill(page, "Once only");
    await send(page);
    await page.getByText("Holon can’t be reached. Your draft is kept").waitFor();
    assert.equal((await messagesOf("form")).length, before + 1);
    await page.reload();
    assert.equal(await page.getByLabel("Title").inputValue(), "Once only");
    await send(page);
    await page.getByText("Sent", { exact: true }).waitFor();
    assert.equal((await messagesOf("form")).length, before + 1);
    await fill(page, "Another");
    await send(page);
    await until(async () => (await messagesOf("form")).length === before + 2);
    assert.equal(keys[0], keys[1]);
    assert.notEqual(keys[1], keys[2]);
    assert.ok(keys.every((key) => key !== undefined && key.length >= 16));
  });

  it("form says what Holon answers", async () => {
    const { page } = await open("form");
    await page.route("**/request", (route) =>
      route.fulfill({
        status: 429,
        headers: { "retry-after": "1" },
        json: { ok: false, error: "Too much waits", code: "app_queue_full", hint: "Wait a bit." },
      }));
    await fill(page, "Not now");
    await send(page);
    await page.getByRole("alert").getByText("Too much waits. Wait a bit. Try again in 1 s.")
      .waitFor();
    assert.equal(await page.getByLabel("Title").inputValue(), "Not now");
    await page.getByRole("button", { name: "Clear" }).click();
    assert.equal(await page.getByLabel("Title").inputValue(), "");
  });

  const SMALL = { width: 300, height: 400 };

  it("game is played to its end, and keeps the best score", async () => {
    const { page, complaints } = await open(
      "game",
      { viewport: SMALL },
      (context) => context.clock.install(),
    );
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Play" }).waitFor();
    assert.equal(await page.evaluate("document.activeElement.id"), "play");
    await page.keyboard.press("Space");
    await dialog.waitFor({ state: "hidden" });
    // Who never turns is hit three times.
    while (!await dialog.isVisible()) await page.clock.runFor(2_000);
    await page.getByText("A new best!").waitFor();
    const score = Number(await page.locator("#score").innerText());
    assert.ok(score > 0);
    await page.getByText(`You caught ${score}.`).waitFor();
    const stored = await page.evaluate("localStorage.getItem('best of /apps/main/my-game/')");
    assert.equal(stored, String(score));
    await page.clock.runFor(1_000);
    await page.keyboard.press("Space");
    await dialog.waitFor({ state: "hidden" });
    await page.reload();
    await page.locator("#best").getByText(String(score), { exact: true }).waitFor();
    assert.deepEqual(complaints, []);
  });

  /** The ship's angle, by the pixels that have its colour. */
  const SHIP_ANGLE = `(() => {
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    let x = 0, y = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (data[at] !== 0x14 || data[at + 1] !== 0x20 || data[at + 2] !== 0x1d) continue;
      x += at / 4 % width - width / 2;
      y += Math.floor(at / 4 / width) - height / 2;
    }
    return Math.atan2(y, x);
  })()`;

  it("game is steered by keys and taps, and waits for one who looks elsewhere", async () => {
    const { page, complaints } = await open("game", {
      viewport: SMALL,
      hasTouch: true,
      deviceScaleFactor: 2,
      reducedMotion: "reduce",
    }, async (context) => {
      await context.clock.install();
      await context.addInitScript(`Object.defineProperties(document, {
        hidden: { get: () => window.isHidden === true },
        visibilityState: { get: () => window.isHidden ? "hidden" : "visible" },
      })`);
    });
    await page.clock.pauseAt(Date.now() + 60_000);
    // One pixel for each of the screen's.
    await page.waitForFunction(`canvas.width === ${2 * SMALL.width}`);
    /** How far the ship goes in a moment, in radians; below 0 it goes the other way. */
    const way = async () => {
      const before = await page.evaluate(SHIP_ANGLE) as number;
      await page.clock.runFor(100);
      const turns = (await page.evaluate(SHIP_ANGLE) as number - before) / (2 * Math.PI);
      return (turns - Math.round(turns)) * 2 * Math.PI;
    };
    await page.getByRole("button", { name: "Play" }).tap();
    await page.clock.runFor(50);
    assert.ok(await way() > 0.05);
    await page.locator("canvas").tap();
    assert.ok(await way() < -0.05);
    await page.keyboard.press("ArrowLeft");
    assert.ok(await way() > 0.05);
    await page.keyboard.press("Space");
    assert.ok(await way() < -0.05);
    await page.evaluate(`
      window.isHidden = true;
      document.dispatchEvent(new Event("visibilitychange"));
    `);
    await page.getByText("Paused").waitFor();
    assert.equal(await way(), 0);
    await page.evaluate("window.isHidden = false");
    await page.getByRole("button", { name: "Go on" }).tap();
    assert.ok(await way() < -0.05);
    await page.keyboard.press("p");
    await page.getByText("Paused").waitFor();
    assert.equal(await way(), 0);
    assert.deepEqual(complaints, []);
  });

  it("wasm draws sharply, and moves by buttons, keys and mouse", async () => {
    const { page, complaints } = await open("wasm", { viewport: SMALL, deviceScaleFactor: 2 });
    const drawn = () => page.getByText(/^\d+ × \d+ points in/).waitFor();
    const picture = () => page.evaluate("canvas.toDataURL()");
    await drawn();
    assert.equal(await page.evaluate("canvas.width / canvas.clientWidth"), 2);
    /** The picture once it is complete: the status is written then. */
    const moved = async (move: () => Promise<void>): Promise<unknown> => {
      await page.evaluate(`document.querySelector("#status").textContent = ""`);
      await move();
      await drawn();
      return await picture();
    };
    const first = await picture();
    const button = (name: string) => () => page.getByRole("button", { name }).click();
    assert.notEqual(await moved(button("Closer")), first);
    assert.equal(await moved(button("Farther")), first);
    await page.locator("canvas").focus();
    assert.notEqual(await moved(() => page.keyboard.press("ArrowLeft")), first);
    assert.equal(await moved(() => page.keyboard.press("ArrowRight")), first);
    const panned = await moved(async () => {
      await page.mouse.move(100, 150);
      await page.mouse.down();
      await page.mouse.move(140, 170);
      await page.mouse.up();
    });
    assert.notEqual(panned, first);
    assert.notEqual(await moved(() => page.mouse.wheel(0, -300)), panned);
    assert.equal(await moved(button("Whole picture")), first);
    assert.deepEqual(complaints, []);
  });

  it("work under the strict profile", async () => {
    const setProfile = async (value: "open" | "strict") => {
      const changed = await fetch(`${holon.url}/api/control/runtime/config`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ updates: [{ key: "local_apps.profile", value }] }),
      });
      assert.equal(changed.status, 200);
      await until(async () => {
        const response = await fetch(`${holon.url}/apps/main/my-card/`);
        await response.arrayBuffer();
        return response.headers.has("content-security-policy") === (value === "strict");
      });
    };
    await setProfile("strict");
    try {
      for (
        const [name, words] of [
          ["my-blank", "an app of the agent main"],
          ["my-card", "Goes to the agent main"],
          ["my-form", "Goes to the agent main"],
          ["my-dashboard", "Live"],
          ["my-game", "Ready?"],
          ["ping-card", "Connected to agent: main"],
        ] as const
      ) {
        context ??= await browser.newContext();
        const page = await context.newPage();
        const complaints = complaintsOf(page);
        await page.goto(`${holon.url}/apps/main/${name}/`);
        await page.getByText(words, { exact: words === "Live" }).waitFor();
        if (name === "ping-card") {
          await page.getByRole("button", { name: "Ping" }).click();
          await page.getByText("Done", { exact: true }).waitFor();
        }
        assert.deepEqual(complaints, [], name);
        await page.close();
      }
    } finally {
      await setProfile("open");
    }
  });

  /** Brings a template to where most of it is seen; resolves once that is so. */
  const showMost: Readonly<Record<Template, (page: Page) => Promise<unknown>>> = {
    blank: (page) => page.getByText("an app of the agent main").waitFor(),
    card: async (page) => {
      await page.getByText("Goes to the agent main.").waitFor();
      await page.getByLabel("What should the agent do?").fill("W".repeat(80));
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("done").waitFor();
    },
    dashboard: async (page) => {
      await page.getByText("Live", { exact: true }).waitFor();
      await page.getByRole("row").filter({ hasText: "Failed" }).first().waitFor();
    },
    form: async (page) => {
      await page.getByText("Goes to the agent main.").waitFor();
      await fill(page, "W".repeat(80));
      await send(page);
      await page.getByRole("listitem").getByText("Done").waitFor();
      await send(page);
      await page.getByText("Give it a title.").waitFor();
    },
    game: (page) => page.getByText("Ready?").waitFor(),
    wasm: (page) => page.getByText("points in").waitFor(),
  };

  for (const template of TEMPLATES) {
    it(`${template} has nothing for axe to find in light and dark, and fits a phone`, async () => {
      const { page } = await open(template, { viewport: PHONE, bypassCSP: true });
      await showMost[template](page);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await violationsOf(page), [], colorScheme);
        const paper = await page.evaluate("getComputedStyle(document.body).backgroundColor");
        const isLight = Number(/\d+/.exec(paper as string)![0]) > 127;
        assert.equal(isLight, colorScheme === "light", `the page is ${paper}`);
      }
      const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      assert.ok(over as number <= 0, `${over} px too wide`);
    });
  }
});
