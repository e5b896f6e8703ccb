/** The templates, made by `holon apps new`, doing their job with a runner. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { until } from "../support/until.ts";
import { violationsOf } from "./support/axe.ts";
import { skipBrowser } from "./support/browser.ts";
import {
  startTemplateSite,
  type Template,
  TEMPLATES,
  type TemplateSite,
} from "./support/template_site.ts";

const PHONE = { width: 390, height: 844 };

describe("templates", { skip: skipBrowser }, () => {
  let site: TemplateSite;
  before(async () => {
    site = await startTemplateSite();
  });
  after(() => site?.close());
  afterEach(() => site.rest());

  /** The messages of a template's app with their states, oldest first. */
  async function messagesOf(template: Template): Promise<readonly string[]> {
    const response = await fetch(`${site.holon.url}/api/agents/main/messages`);
    const { messages } = await response.json() as {
      messages: { origin: string; status: string }[];
    };
    return messages.filter(({ origin }) => origin === `app:my-${template}`)
      .map(({ status }) => status).reverse();
  }

  it("blank knows its agent", async () => {
    const { page, complaints } = await site.open("blank");
    await page.getByRole("heading", { name: "My Blank" }).waitFor();
    await page.getByText("This is my-blank, an app of the agent main.").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("card sends tasks, follows them, and remembers them over a reload", async () => {
    site.hold();
    const { page, complaints } = await site.open("card");
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
    site.release();
    await row("Water the plants").getByText("done").waitFor();
    await row("Sink, please fail").getByText("failed").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("card gives a task back that was not sent", async () => {
    const { page } = await site.open("card");
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
    site.hold();
    const { page, complaints } = await site.open("dashboard");
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("What main does for this app").waitFor();
    await page.getByRole("button", { name: "Check everything" }).click();
    await page.getByRole("button", { name: "Tidy up" }).click();
    await counter(page, "waiting", 1);
    await counter(page, "working", 1);
    const rows = page.getByRole("row");
    await rows.filter({ hasText: "Check everything" }).getByText("At work").waitFor();

    const seen = site.relay.streams.length;
    await page.reload();
    await counter(page, "working", 1);
    await until(() => site.relay.streams.length > seen);
    // It goes on after what it has seen: three events of two requests.
    assert.ok(Number(site.relay.streams.at(-1)!.lastEventId) >= 3);
    await page.evaluate("Holon.request('custom', 'please fail', 'custom~1')");
    site.release();
    await counter(page, "done", 2);
    await counter(page, "failed", 1);
    await rows.filter({ hasText: "custom" }).getByText("Failed").waitFor();
    await page.getByRole("img", { name: "In the last 30 minutes: 2 done, 1 failed" }).waitFor();
    assert.ok(await page.locator("#chart rect.done").count() > 0);

    // Another visitor sees what became of these as well, from the events that are kept.
    const { page: other } = await site.open("dashboard");
    await counter(other, "done", 2);
    await other.getByRole("row").filter({ hasText: "Tidy up" }).getByText("Done").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("dashboard says when its connection is lost, and mends it", async () => {
    const { page } = await site.open("dashboard");
    await page.getByText("Live", { exact: true }).waitFor();
    site.relay.cut();
    await page.getByText("Connection lost, trying again…").waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
  });

  it("dashboard tells what is not known any more after a gap, and why it was refused", async () => {
    const stream = (body: string) => ({ contentType: "text/event-stream", body });
    const { page } = await site.open("dashboard", {}, async (context) => {
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
    const { page, complaints } = await site.open("form");
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
    site.hold();
    const { page, complaints } = await site.open("form");
    await page.getByText("Goes to the agent main.").waitFor();
    await fill(page, "Bring the chairs in");
    await page.getByText("Draft kept").waitFor();
    // Once its folder is watched, a file that the agent writes loads the page anew.
    await until(async () => {
      site.home.file("main", "apps/my-form/answer.json", JSON.stringify({ at: performance.now() }));
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
    site.release();
    await item.getByText("Done").waitFor();
    await second.getByText("Failed").waitFor();
    assert.equal(await item.getByRole("progressbar").getAttribute("value"), "3");
    assert.deepEqual(complaints, []);
  });

  it("form is sent once, though the answer to the first try got lost", async () => {
    const before = (await messagesOf("form")).length;
    const keys: (string | undefined)[] = [];
    const { page } = await site.open("form");
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
    const { page } = await site.open("form");
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

  it("work under the strict profile", async () => {
    const setProfile = async (value: "open" | "strict") => {
      const changed = await fetch(`${site.holon.url}/api/control/runtime/config`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ updates: [{ key: "local_apps.profile", value }] }),
      });
      assert.equal(changed.status, 200);
      await until(async () => {
        const response = await fetch(`${site.holon.url}/apps/main/my-card/`);
        await response.arrayBuffer();
        return response.headers.has("content-security-policy") === (value === "strict");
      });
    };
    await setProfile("strict");
    try {
      const { page, complaints } = await site.open("blank");
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
        await page.goto(`${site.relay.url}/apps/main/${name}/`);
        await page.getByText(words, { exact: words === "Live" }).waitFor();
        if (name === "ping-card") {
          await page.getByRole("button", { name: "Ping" }).click();
          await page.getByText("Done", { exact: true }).waitFor();
        }
        assert.deepEqual(complaints, [], name);
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
      const { page } = await site.open(template, { viewport: PHONE, bypassCSP: true });
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
