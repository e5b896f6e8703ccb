/**
 * A Chromium for tests, or the reason why there is none.
 *
 * @module
 */

import { type Browser, chromium, type Page } from "playwright-core";
import { findProgram, requireAll } from "../../support/tools.ts";

const executablePath = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]
  .map(findProgram).find((path) => path !== undefined);

const MISSING = "Chromium is missing: apt-get install chromium";

/** The `skip` of browser tests: how to install Chromium, or `false` where nothing is to skip. */
export const skipBrowser: string | false = requireAll || executablePath !== undefined
  ? false
  : MISSING;

/**
 * Starts a headless Chromium that talks to no one by itself.
 *
 * @param more further arguments
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  if (executablePath === undefined) throw new Error(MISSING);
  return await chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...more,
    ],
  });
}

/** Notes what a page complains about: errors of scripts, and messages such as refusals by CSP. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  return complaints;
}
