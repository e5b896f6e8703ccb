/**
 * What the layer rules need to know of a TypeScript file: its imports, exports and the names it uses.
 *
 * A scanner, not a parser: it blanks comments and the contents of strings, so that what a comment
 * or a sentence mentions is no use of it.
 *
 * @module
 */

/** One `import` or `export … from`, or an `import()` of a literal. */
export interface ImportOf {
  readonly specifier: string;
  /** Nothing of it is left at run time. */
  readonly typeOnly: boolean;
  /** `export … from`. */
  readonly reExport: boolean;
  /** Counted from 1. */
  readonly line: number;
}

/** A file, scanned. */
export interface SourceFile {
  /** From the root, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The text with comments and the contents of strings blanked; same length, same lines. */
  readonly code: string;
  readonly imports: readonly ImportOf[];
}

/** Scans one file. */
export function scanSource(path: string, text: string): SourceFile {
  const code = blank(text);
  return { path, text, code, imports: findImports(text, code) };
}

/** The line of an offset, counted from 1. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

const FROM =
  /(?:^|[;}\n])\s*(import|export)(\s+type\b)?\s*([^;"'()=]*?)\s*(?:\bfrom\s*)?(["'])(\s*)\4/gd;
const DYNAMIC = /\bimport\s*\(\s*(["'])(\s*)\1/gd;

function findImports(text: string, code: string): readonly ImportOf[] {
  const found: ImportOf[] = [];
  for (const match of code.matchAll(FROM)) {
    const [, keyword, type, clause = "", ,] = match;
    const [start, end] = match.indices?.[5] ?? [0, 0];
    const names = /^\{([^}]*)\}$/.exec(clause)?.[1]?.split(",").map((it) => it.trim())
      .filter((it) => it !== "");
    const allTypes = names !== undefined && names.length > 0 &&
      names.every((name) => name.startsWith("type "));
    found.push({
      specifier: text.slice(start, end),
      typeOnly: type !== undefined || allTypes,
      reExport: keyword === "export",
      line: lineOf(text, start),
    });
  }
  for (const match of code.matchAll(DYNAMIC)) {
    const [start, end] = match.indices?.[2] ?? [0, 0];
    found.push({
      specifier: text.slice(start, end),
      typeOnly: false,
      reExport: false,
      line: lineOf(text, start),
    });
  }
  return found;
}

/** Blanks comments, strings, regular expressions and the text of templates. */
function blank(text: string): string {
  const out = text.split("");
  const erase = (from: number, to: number) => {
    for (let i = from; i < to; i++) if (out[i] !== "\n") out[i] = " ";
  };
  /** For each open template, how many braces are open in its current `${`. */
  const templates: number[] = [];
  let at = 0;
  while (at < text.length) {
    const two = text.slice(at, at + 2);
    const char = text[at] ?? "";
    let end: number;
    if (two === "//") {
      end = endOr(text.indexOf("\n", at), text);
      erase(at, end);
    } else if (two === "/*") {
      end = endOr(text.indexOf("*/", at + 2), text, 2);
      erase(at, end);
    } else if (char === '"' || char === "'") {
      end = endOfQuoted(text, at, char);
      erase(at + 1, end - 1);
    } else if (char === "`") {
      end = endOfTemplatePart(text, at + 1, templates);
      erase(at + 1, end - 1);
    } else if (char === "/" && startsRegExp(out, at)) {
      end = endOfRegExp(text, at);
      erase(at + 1, end - 1);
    } else {
      end = at + 1;
      const open = templates.at(-1);
      if (open !== undefined && char === "{") templates[templates.length - 1] = open + 1;
      if (open !== undefined && char === "}") {
        if (open > 0) {
          templates[templates.length - 1] = open - 1;
        } else {
          templates.pop();
          end = endOfTemplatePart(text, at + 1, templates);
          erase(at + 1, end - 1);
        }
      }
    }
    at = end;
  }
  return out.join("");
}

function endOr(found: number, text: string, length = 0): number {
  return found < 0 ? text.length : found + length;
}

/** The offset behind the closing quote; a string never runs over its line. */
function endOfQuoted(text: string, start: number, quote: string): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === quote || text[i] === "\n") return i + 1;
  }
  return text.length;
}

/** The offset behind the template's end, or behind the `${` that interrupts it. */
function endOfTemplatePart(text: string, start: number, templates: number[]): number {
  for (let i = start; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === "`") return i + 1;
    else if (text[i] === "$" && text[i + 1] === "{") {
      templates.push(0);
      return i + 2;
    }
  }
  return text.length;
}

/** A slash divides after a value and starts a regular expression anywhere else. */
function startsRegExp(before: readonly string[], at: number): boolean {
  let i = at - 1;
  while (i >= 0 && /\s/.test(before[i] ?? "")) i--;
  if (i < 0) return true;
  const word = /[\w$]+$/.exec(before.slice(Math.max(0, i - 12), i + 1).join(""))?.[0];
  if (word !== undefined) return /^(?:return|typeof|case|in|of|await|yield)$/.test(word);
  return !/[)\]}"'`]/.test(before[i] ?? "");
}

function endOfRegExp(text: string, start: number): number {
  let inClass = false;
  for (let i = start + 1; i < text.length; i++) {
    const char = text[i];
    if (char === "\n") return i;
    if (char === "\\") i++;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) return i + 1;
  }
  return text.length;
}
