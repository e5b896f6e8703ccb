/**
 * Takes JavaScript apart into tokens, as far as it takes to tell code from strings, comments and
 * regular expressions (ECMA-262 §12).
 *
 * @module
 */

/** A token; `value` is the text of a name or a punctuator, and the content of a string. */
export interface ScriptToken {
  readonly kind: "name" | "other" | "punctuator" | "string" | "template";
  readonly value: string;
  readonly offset: number;
}

/** Bounds the work: what follows is not looked at. */
const MAX_TOKENS = 2_000_000;

const BLANK = /(?:[\s\ufeff]+|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?(?:\*\/|$)|<!--[^\n\r]*)+/y;
const NAME = /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /\.?\d(?:[eE][+-]|[\w.])*/y;

/** Words after which a slash begins a regular expression. */
const BEFORE_REGEX: ReadonlySet<string> = new Set([
  ...["await", "case", "delete", "do", "else", "in", "instanceof", "new", "of", "return"],
  ...["throw", "typeof", "void", "yield"],
]);

/**
 * Gives the tokens of a script. A template without substitutions is a `template` with its text; one
 * with them gives its parts, and the code between them. Where the source is broken the rest may be
 * taken wrong; it never throws, and takes a time that grows with the text's length only.
 */
export function scriptTokens(text: string): readonly ScriptToken[] {
  const lexer = new Lexer(text);
  lexer.run();
  return lexer.tokens;
}

// --- internal ---

class Lexer {
  readonly tokens: ScriptToken[] = [];
  readonly #text: string;
  #at = 0;
  /** For each open brace, whether a template goes on behind it. */
  readonly #braces: boolean[] = [];
  /** By the character that opens it: up to where a literal is known not to end. */
  readonly #endless = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  run(): void {
    while (this.#at < this.#text.length && this.tokens.length < MAX_TOKENS) {
      const blank = this.#match(BLANK);
      if (blank === "") this.#take(this.#text[this.#at]!);
      else this.#at += blank.length;
    }
  }

  #take(char: string): void {
    if (char === '"' || char === "'") this.#takeLiteral(char, "string");
    else if (char === "`") this.#takeTemplate(true);
    else if (char === "}" && this.#braces.pop() === true) this.#takeTemplate(false);
    else if (char === "/" && this.#mayBeRegex()) this.#takeLiteral(char, "other");
    else {
      const name = this.#match(NAME);
      const word = name === "" ? this.#match(NUMBER) : name;
      if (word !== "") {
        this.#push(name === "" ? "other" : "name", word, word.length);
        return;
      }
      if (char === "{") this.#braces.push(false);
      this.#push("punctuator", char, 1);
    }
  }

  /** A string or a regular expression; where it has no end on its line, only what opens it. */
  #takeLiteral(quote: string, kind: "other" | "string"): void {
    const end = this.#at < (this.#endless.get(quote) ?? 0) ? -1 : this.#endOnLine(quote);
    if (end < 0) {
      this.#push("punctuator", quote, 1);
      return;
    }
    const content = kind === "string" ? this.#text.slice(this.#at + 1, end) : quote;
    this.#push(kind, content, end + 1 - this.#at);
  }

  #endOnLine(quote: string): number {
    const text = this.#text;
    let inClass = false;
    for (let at = this.#at + 1; at < text.length; at++) {
      const char = text[at]!;
      if (char === "\\" && quote !== "/" && text.startsWith("\r\n", at + 1)) at += 2;
      else if (char === "\\" && (quote !== "/" || text[at + 1] !== "\n")) at += 1;
      else if (char === "\n" || char === "\r") return this.#none(quote, at);
      else if (quote === "/" && char === "[") inClass = true;
      else if (char === "]") inClass = false;
      else if (char === quote && !inClass) return at;
    }
    return this.#none(quote, text.length);
  }

  #none(quote: string, end: number): number {
    this.#endless.set(quote, end);
    return -1;
  }

  /** A part of a template, up to its end or the next substitution. */
  #takeTemplate(isFirst: boolean): void {
    const text = this.#text;
    const start = this.#at + 1;
    let end = start;
    while (end < text.length && text[end] !== "`" && !text.startsWith("${", end)) {
      end += text[end] === "\\" ? 2 : 1;
    }
    end = Math.min(end, text.length);
    const hasCode = text[end] === "$";
    const isWhole = isFirst && text[end] === "`";
    const length = end - this.#at + (hasCode ? 2 : 1);
    this.#push(isWhole ? "template" : "other", text.slice(start, end), length);
    if (hasCode) this.#braces.push(true);
  }

  /** Behind a value a slash divides; `}` is taken for the end of a block. */
  #mayBeRegex(): boolean {
    const before = this.tokens.at(-1);
    if (before === undefined) return true;
    if (before.kind === "name") return BEFORE_REGEX.has(before.value);
    return before.kind === "punctuator" && before.value !== ")" && before.value !== "]";
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0] ?? "";
  }

  #push(kind: ScriptToken["kind"], value: string, length: number): void {
    this.tokens.push({ kind, value, offset: this.#at });
    this.#at += length;
  }
}
