/**
 * Finds what a style sheet asks for: `@import` and `url()` (CSS Values §4.5, CSS Cascade §2).
 *
 * @module
 */

import { type Reference, reference } from "./reference.ts";

// A comment, an @namespace, an @import of a string, a url(), what opens and closes an @font-face, or
// any other string.
const PIECE = new RegExp(
  [
    String.raw`/\*[^]*?(?:\*/|$)`,
    String.raw`@namespace\b[^;]*`,
    String.raw`@import\s+(?:"(?<import1>[^"\n]*)"|'(?<import2>[^'\n]*)')`,
    String
      .raw`(?<importing>@import\s+)?\burl\(\s*(?:"(?<url1>[^"\n]*)"|'(?<url2>[^'\n]*)'|(?<url3>[^\s"'()]*))\s*\)`,
    String.raw`(?<face>@font-face\b)`,
    String.raw`(?<close>\})`,
    String.raw`["']`,
  ].join("|"),
  "gi",
);

/** Gives the addresses in a style sheet, or in a `style` attribute. */
export function cssReferences(text: string): readonly Reference[] {
  const references: Reference[] = [];
  let inFontFace = false;
  const pieces = new RegExp(PIECE);
  for (let piece = pieces.exec(text); piece !== null; piece = pieces.exec(text)) {
    const { 0: whole, groups = {}, index } = piece;
    if (whole === '"' || whole === "'") pieces.lastIndex = endOfString(text, whole, index + 1);
    if (groups["face"] !== undefined) inFontFace = true;
    if (groups["close"] !== undefined) inFontFace = false;
    const imported = groups["import1"] ?? groups["import2"];
    const url = groups["url1"] ?? groups["url2"] ?? groups["url3"];
    const from = "file" as const;
    if (imported !== undefined || groups["importing"] !== undefined) {
      references.push(reference(unescape(imported ?? url ?? ""), "style", index, { from }));
    } else if (url !== undefined && inFontFace) {
      // Of several sources of a face one is taken.
      const rest = { from, certain: false, cors: true };
      references.push(reference(unescape(url), "font", index, rest));
    } else if (url !== undefined) {
      references.push(reference(unescape(url), "image", index, { from }));
    }
  }
  return references;
}

/** Past the end of a string; a line's end ends it, too. */
function endOfString(text: string, quote: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote || text[at] === "\n") return at + 1;
  }
  return text.length;
}

/** Resolves CSS escapes (CSS Syntax §4.3.7). */
function unescape(raw: string): string {
  return raw.replace(
    /\\(?:([0-9a-fA-F]{1,6})\s?|([^]))/g,
    (_whole, hex?: string, char?: string) => {
      if (hex === undefined) return char ?? "";
      const code = parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
    },
  );
}
