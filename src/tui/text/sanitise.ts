/**
 * Text from the network made safe to draw: nothing in it can steer the terminal, turn the reading
 * direction, hide, or pile up marks over other lines.
 *
 * @module
 */

import { graphemes } from "./graphemes.ts";

/** Marks that a cluster may carry; real scripts and emoji sequences need fewer. */
const MAX_CLUSTER_UNITS = 32;

/**
 * C0 and C1 controls, line and paragraph separators, what turns the reading direction, invisible
 * tag characters, and halves of surrogate pairs.
 */
const UNSAFE =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udc7f]/g;

/** One line: line ends and tabs become blanks, what is unsafe the replacement character. */
export function safeLine(text: string, maxUnits = 2048): string {
  return clean(text.slice(0, maxUnits).replace(/[\r\n\t]+/g, " "));
}

/** Several lines: `\n` between them, tabs as two blanks. */
export function safeLines(text: string, maxUnits = 8192): string[] {
  const cut = text.length > maxUnits ? `${text.slice(0, maxUnits)}…` : text;
  return cut.replace(/\t/g, "  ").split(/\r\n|\n|\r/).map(clean);
}

function clean(text: string): string {
  const safe = text.replace(UNSAFE, "\ufffd");
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(safe)) return safe;
  return graphemes(safe).map(shorten).join("");
}

function shorten(cluster: string): string {
  if (cluster.length <= MAX_CLUSTER_UNITS) return cluster;
  const cut = cluster.slice(0, MAX_CLUSTER_UNITS);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
