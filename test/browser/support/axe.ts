/**
 * What axe finds on a page.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules that a page breaks, each with the elements that do; the page must bypass its CSP. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(source);
  const { violations } = await page.evaluate("axe.run()") as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
