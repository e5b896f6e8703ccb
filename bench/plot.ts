/**
 * The rows of files as a picture: one bar a server, as long as its rate is beside nginx's.
 *
 * @module
 */

import type { Measured } from "./measure.ts";
import { ratioTo } from "./ratio.ts";
import { groups } from "./report.ts";

const WIDTH = 860;
const LEFT = 190;
const BAR = 16;
/** Room for bars: up to so many times nginx. */
const SCALE = 480;

/** Draws it as SVG, readable on white and on black. */
export function plot(rows: readonly Measured[]): string {
  const parts: string[] = [];
  let y = 10;
  for (const group of groups(rows, ({ row }) => row)) {
    const reference = group.find(({ server }) => server === "nginx") ?? group[0];
    if (reference === undefined) continue;
    const most = Math.max(1, ...group.map((it) => ratioTo(it, reference)));
    parts.push(`<text x="10" y="${y + 14}" font-weight="bold">${escape(reference.row)}</text>`);
    y += 24;
    for (const measured of group) {
      const ratio = ratioTo(measured, reference);
      const length = Math.max(1, ratio / most * SCALE);
      const color = measured.server.startsWith("Holon") ? "#2f6fdd" : "#8a8f98";
      const label = `${ratio.toFixed(2)}  (${rateOf(measured)})`;
      parts.push(
        `<text x="${LEFT - 8}" y="${y + 12}" text-anchor="end">${escape(measured.server)}</text>`,
        `<rect x="${LEFT}" y="${y}" width="${length.toFixed(1)}" height="${
          BAR - 3
        }" rx="2" fill="${color}"/>`,
        `<text x="${(LEFT + length + 6).toFixed(1)}" y="${y + 12}">${label}</text>`,
      );
      y += BAR;
    }
    y += 14;
  }
  const style = "font: 12px system-ui, sans-serif; fill: #1c1f24";
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" ` +
    `viewBox="0 0 ${WIDTH} ${y}" style="${style}">\n` +
    `<rect width="100%" height="100%" fill="#fff"/>\n${parts.join("\n")}\n</svg>\n`;
}

/** What the bar stands for: bytes of large answers, requests of small ones. */
function rateOf({ summary: { requestsPerSecond, bytesPerSecond } }: Measured): string {
  return requestsPerSecond > 1000 || bytesPerSecond === 0
    ? `${requestsPerSecond.toFixed(0)}/s`
    : `${(bytesPerSecond / 1e6).toFixed(0)} MB/s`;
}

function escape(text: string): string {
  return text.replace(/[&<>]/g, (it) => `&#${it.charCodeAt(0)};`);
}
