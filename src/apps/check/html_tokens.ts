/**
 * Takes HTML apart into tags and the text of scripts and styles, as far as it takes to find what a
 * page asks for (WHATWG HTML §13.2.5).
 *
 * @module
 */

/** A piece of a page; offsets are into its text. */
export type HtmlToken =
  | {
    readonly kind: "start";
    /** In lower case. */
    readonly name: string;
    /** By name in lower case; the first of a name counts. */
    readonly attributes: ReadonlyMap<string, HtmlAttribute>;
    readonly offset: number;
  }
  | { readonly kind: "end"; readonly name: string }
  | {
    /** What is in a script, a style or another element whose content is no markup. */
    readonly kind: "raw";
    readonly element: string;
    readonly text: string;
    readonly offset: number;
  };

/** An attribute's value, character references resolved, and where it begins. */
export interface HtmlAttribute {
  readonly value: string;
  readonly offset: number;
}

/** Elements whose content is text, where scripts run. */
const RAW_ELEMENTS: ReadonlySet<string> = new Set([
  ...["iframe", "noembed", "noframes", "noscript", "script", "style", "textarea", "title", "xmp"],
]);

const TAG_NAME = /[A-Za-z][^\t\n\f\r />]*/y;
const ATTRIBUTE = /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)[\t\n\f\r ]*(=?)[\t\n\f\r ]*/y;
const BLANKS = /[\t\n\f\r /]*/y;
const UNQUOTED = /[^\t\n\f\r >]*/y;

/** Gives the tokens of a page in their order; whatever is no markup is passed over. */
export function* htmlTokens(text: string): Generator<HtmlToken> {
  let at = 0;
  while ((at = text.indexOf("<", at)) >= 0) {
    const next = text[at + 1] ?? "";
    if (next === "!" || next === "?") {
      at = endOfComment(text, at);
      continue;
    }
    const isEnd = next === "/";
    const name = match(TAG_NAME, text, at + (isEnd ? 2 : 1));
    if (name === "") {
      at += 1;
      continue;
    }
    const tag = name.toLowerCase();
    const start = at;
    const { attributes, end } = readAttributes(text, at + (isEnd ? 2 : 1) + name.length);
    at = end;
    if (isEnd) {
      yield { kind: "end", name: tag };
      continue;
    }
    yield { kind: "start", name: tag, attributes, offset: start };
    if (tag === "plaintext") return;
    if (!RAW_ELEMENTS.has(tag)) continue;
    const close = endOfRaw(text, tag, at);
    yield { kind: "raw", element: tag, text: text.slice(at, close), offset: at };
    at = close;
  }
}

// --- internal ---

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** Past a comment, a doctype or a processing instruction; the text's end where it has none. */
function endOfComment(text: string, at: number): number {
  if (!text.startsWith("<!--", at)) {
    const end = text.indexOf(">", at);
    return end < 0 ? text.length : end + 1;
  }
  // `<!-->` and `<!--->` are empty comments.
  const short = /^-?>/.exec(text.slice(at + 4, at + 6));
  if (short !== null) return at + 4 + short[0].length;
  const pattern = /--!?>/g;
  pattern.lastIndex = at + 4;
  return pattern.exec(text) === null ? text.length : pattern.lastIndex;
}

function readAttributes(
  text: string,
  from: number,
): { readonly attributes: Map<string, HtmlAttribute>; readonly end: number } {
  const attributes = new Map<string, HtmlAttribute>();
  let at = from;
  for (;;) {
    at += match(BLANKS, text, at).length;
    if (at >= text.length) return { attributes, end: at };
    if (text[at] === ">") return { attributes, end: at + 1 };
    ATTRIBUTE.lastIndex = at;
    const [whole = "", name = "", equals = ""] = ATTRIBUTE.exec(text) ?? [];
    if (whole === "") return { attributes, end: text.length };
    at += whole.length;
    const value = equals === "" ? { raw: "", offset: at, end: at } : readValue(text, at);
    at = value.end;
    const key = name.toLowerCase();
    if (!attributes.has(key)) {
      attributes.set(key, { value: resolveReferences(value.raw), offset: value.offset });
    }
  }
}

function readValue(
  text: string,
  at: number,
): { readonly raw: string; readonly offset: number; readonly end: number } {
  const quote = text[at];
  if (quote !== '"' && quote !== "'") {
    const raw = match(UNQUOTED, text, at);
    return { raw, offset: at, end: at + raw.length };
  }
  const close = text.indexOf(quote, at + 1);
  const end = close < 0 ? text.length : close;
  return { raw: text.slice(at + 1, end), offset: at + 1, end: Math.min(end + 1, text.length) };
}

/** Where the end tag of a raw element begins; the text's end where it has none. */
function endOfRaw(text: string, tag: string, from: number): number {
  const pattern = new RegExp(`</${tag}(?=[\\t\\n\\f\\r />])`, "gi");
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  nbsp: "\u00a0",
  quot: '"',
};

/** Resolves numeric references and the few named ones that addresses are written with. */
function resolveReferences(raw: string): string {
  return raw.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|apos|gt|lt|nbsp|quot));/g,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const code = decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
    },
  );
}
