/**
 * Spans of time as a person types them.
 *
 * @module
 */

import { CliFailure, EXIT } from "./failure.ts";

const SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};
const MAX_SECONDS = 100 * 31_536_000;

/**
 * The seconds of a span such as `30d`, `12h` or `90m`; `null` for `never`.
 *
 * @param option its name, for the sentence of a refusal
 * @throws {CliFailure} when it is none
 */
export function parseDuration(text: string, option: string): number | null {
  const clean = text.trim().toLowerCase();
  if (clean === "never") return null;
  const match = /^(\d{1,10})([smhdwy])$/.exec(clean);
  const seconds = Number(match?.[1]) * (SECONDS[match?.[2] ?? ""] ?? NaN);
  if (seconds >= 1 && seconds <= MAX_SECONDS) return seconds;
  throw new CliFailure(`${option} has "${text}", which is no span of time`, {
    hint: "Write it as 30d, 12h or 90m (at most 100y), or never.",
    exitCode: EXIT.usage,
  });
}
