/**
 * The templates, each made by `holon apps new` as the app `my-<template>` and served with a runner.
 *
 * @module
 */

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { run } from "../../cli/memory_io.ts";
import { PROGRAMS, type ServedHolon, startHolon } from "../../support/served_holon.ts";
import { complaintsOf, launchBrowser } from "./browser.ts";
import { type TestHome, testHome } from "./home.ts";
import { type Relay, startRelay } from "./relay.ts";

/** The templates of `holon apps new`. */
export const TEMPLATES = ["card", "dashboard", "form", "game", "wasm", "blank"] as const;

/** One of {@linkcode TEMPLATES}. */
export type Template = typeof TEMPLATES[number];

/** Is at work as long as there is a file `hold`; fails where it is told to. */
const WORKER = `
import { existsSync } from "node:fs";
let text = "";
for await (const chunk of process.stdin) text += chunk;
while (existsSync("hold")) await new Promise((resolve) => setTimeout(resolve, 20));
process.exitCode = text.includes("please fail") ? 1 : 0;
`;

/** A server of the templates, and a browser. */
export interface TemplateSite {
  readonly home: TestHome;
  readonly holon: ServedHolon;
  /** What stands between the browser and the server. */
  readonly relay: Relay;
  /** Opens a template's app as a visitor of its own; the one before leaves. */
  open(
    template: Template,
    options?: BrowserContextOptions,
    prepare?: (context: BrowserContext) => Promise<unknown>,
  ): Promise<{ page: Page; complaints: string[] }>;
  /** Keeps the agent at work on the next message. */
  hold(): void;
  /** Lets the agent go on, and the visitor leave. */
  rest(): Promise<void>;
  /** Lets the agent go on. */
  release(): void;
  close(): Promise<void>;
}

/** Makes the apps, and starts server and browser. */
export async function startTemplateSite(): Promise<TemplateSite> {
  const home = testHome();
  home.agent("main", { runner: { command: [process.execPath, "worker.mjs"] } });
  home.file("main", "worker.mjs", WORKER);
  home.template("main", "ping-card");
  for (const template of TEMPLATES) {
    const args = ["apps", "new", `my-${template}`, "--template", template];
    const { code, err } = await run(args, { home: home.path });
    assert.equal(code, 0, err);
  }
  const holon = await startHolon({ home: home.path, program: PROGRAMS.node });
  const relay = await startRelay(Number(new URL(holon.url).port));
  const browser = await launchBrowser();
  let context: BrowserContext | undefined;
  const release = () => rmSync(join(home.path, "agents/main/hold"), { force: true });
  return {
    home,
    holon,
    relay,
    async open(template, options = {}, prepare) {
      await context?.close();
      context = await browser.newContext(options);
      context.setDefaultTimeout(15_000);
      await prepare?.(context);
      const page = await context.newPage();
      const complaints = complaintsOf(page);
      await page.goto(`${relay.url}/apps/main/my-${template}/`);
      return { page, complaints };
    },
    hold: () => home.file("main", "hold", ""),
    async rest() {
      release();
      await context?.close();
      context = undefined;
    },
    release,
    async close() {
      await browser.close();
      await relay.close();
      await holon.stop();
      home.remove();
    },
  };
}
