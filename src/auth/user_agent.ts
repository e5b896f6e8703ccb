/**
 * What a `User-Agent` says to a person.
 *
 * @module
 */

/** Names of browsers by what they send; the first that fits, since each claims to be others too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, "Edge"],
  [/\bOPR\/|\bOPiOS\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** A program that names itself, such as `curl/8.5.0`. */
const PROGRAM = /^([A-Za-z][A-Za-z0-9._+-]{0,39})\/[\w.+-]{1,40}/;

/** Says who a `User-Agent` stands for, such as "Firefox on Linux" or "curl". */
export function clientName(userAgent: string | null): string {
  const text = userAgent ?? "";
  const browser = nameIn(BROWSERS, text);
  const system = nameIn(SYSTEMS, text);
  if (browser !== null) return system === null ? browser : `${browser} on ${system}`;
  const program = PROGRAM.exec(text)?.[1];
  if (program !== undefined && program !== "Mozilla") return program;
  return system === null ? "Unknown program" : `Unknown program on ${system}`;
}

function nameIn(names: typeof BROWSERS, text: string): string | null {
  return names.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
