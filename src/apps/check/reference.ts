/**
 * What a page, a style sheet or a script asks for.
 *
 * @module
 */

/**
 * What it is asked for as; policies and types go by it. `import` is a specifier in a script, `module`
 * the address of a module in a page.
 */
export type ReferenceUse =
  | "base"
  | "connect"
  | "font"
  | "form"
  | "frame"
  | "image"
  | "import"
  | "manifest"
  | "media"
  | "module"
  | "navigation"
  | "object"
  | "script"
  | "style"
  | "worker";

/** One address in a text. */
export interface Reference {
  /** As it is written there, escapes of the language resolved. */
  readonly url: string;
  readonly use: ReferenceUse;
  /** Where it stands in the text. */
  readonly offset: number;
  /** Whether it is asked for in any case, not only when some code runs or a person clicks. */
  readonly certain: boolean;
  /** Whether another site is asked by the rules of CORS. */
  readonly cors: boolean;
  /** What it is relative to: the page, or the script that it stands in. */
  readonly from: "document" | "file";
}

/** What code does that a policy may forbid. */
export interface Hint {
  readonly kind: "eval" | "inline_script" | "inline_style" | "wasm";
  readonly offset: number;
}

/** Makes a reference that is asked for in any case, by a page. */
export function reference(
  url: string,
  use: ReferenceUse,
  offset: number,
  rest: Partial<Pick<Reference, "certain" | "cors" | "from">> = {},
): Reference {
  return { url, use, offset, certain: true, cors: false, from: "document", ...rest };
}
