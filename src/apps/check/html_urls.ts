/**
 * Where a page's addresses stand: which attributes hold one, and what for.
 *
 * @module
 */

import type { HtmlAttribute } from "./html_tokens.ts";
import type { ReferenceUse } from "./reference.ts";

/** Attributes that hold one address, as `element[attribute]`; `link` and `script` are apart. */
export const URL_ATTRIBUTES: ReadonlyMap<string, ReferenceUse> = new Map([
  ["a[href]", "navigation"],
  ["area[href]", "navigation"],
  ["audio[src]", "media"],
  ["body[background]", "image"],
  ["button[formaction]", "form"],
  ["embed[src]", "object"],
  ["feimage[href]", "image"],
  ["form[action]", "form"],
  ["frame[src]", "frame"],
  ["iframe[src]", "frame"],
  ["image[href]", "image"],
  ["image[xlink:href]", "image"],
  ["img[src]", "image"],
  ["input[formaction]", "form"],
  ["input[src]", "image"],
  ["object[data]", "object"],
  ["source[src]", "media"],
  ["track[src]", "media"],
  ["use[href]", "image"],
  ["use[xlink:href]", "image"],
  ["video[poster]", "image"],
  ["video[src]", "media"],
]);

const PRELOADS: Readonly<Record<string, ReferenceUse>> = {
  audio: "media",
  fetch: "connect",
  font: "font",
  image: "image",
  script: "script",
  style: "style",
  track: "media",
  video: "media",
  worker: "worker",
};

/** What a `link` element loads its address as; `null` where it loads nothing. */
export function linkUse(attributes: ReadonlyMap<string, HtmlAttribute>): ReferenceUse | null {
  const relations = (attributes.get("rel")?.value ?? "").toLowerCase().split(/[\t\n\f\r ]+/);
  const has = (...names: readonly string[]) => names.some((name) => relations.includes(name));
  if (has("stylesheet")) return "style";
  if (has("icon", "apple-touch-icon", "mask-icon")) return "image";
  if (has("manifest")) return "manifest";
  if (has("modulepreload")) return "module";
  if (has("preload", "prefetch")) {
    return PRELOADS[attributes.get("as")?.value.toLowerCase() ?? ""] ?? "connect";
  }
  return null;
}

/** The addresses of a `srcset` (WHATWG HTML §4.8.4.2.2). */
export function splitSrcset(value: string): readonly string[] {
  const urls: string[] = [];
  let at = 0;
  for (;;) {
    at += lengthOf(/[\t\n\f\r ,]*/y, value, at);
    const length = lengthOf(/[^\t\n\f\r ]+/y, value, at);
    if (length === 0) return urls;
    const word = value.slice(at, at + length);
    at += length;
    let end = word.length;
    while (word[end - 1] === ",") end -= 1;
    urls.push(word.slice(0, end));
    // A comma behind the address ends the candidate; else one behind its descriptors does.
    if (end === word.length) at = endOfDescriptors(value, at);
  }
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

/** Where the next comma is that is not in parentheses; the end where there is none. */
function endOfDescriptors(value: string, from: number): number {
  for (let at = from; at < value.length; at++) {
    if (value[at] === ",") return at;
    if (value[at] !== "(") continue;
    const close = value.indexOf(")", at);
    if (close < 0) return value.length;
    at = close;
  }
  return value.length;
}
