/**
 * Finds what a page asks for: files, links, and what its inline scripts and styles ask for.
 *
 * @module
 */

import { cssReferences } from "./css_references.ts";
import { type HtmlAttribute, type HtmlToken, htmlTokens } from "./html_tokens.ts";
import { linkUse, splitSrcset, URL_ATTRIBUTES } from "./html_urls.ts";
import { type Hint, type Reference, reference, type ReferenceUse } from "./reference.ts";
import { scriptFindings } from "./script_references.ts";

/** What was found in a page. */
export interface PageFindings {
  readonly references: readonly Reference[];
  readonly hints: readonly Hint[];
  /** The first `<base href>`. */
  readonly base: HtmlAttribute | null;
  /** Whether a script writes a `<base>`, so that what is relative to what can't be read off. */
  readonly writesBase: boolean;
  /** Addresses by module specifier, of the page's import map. */
  readonly imports: ReadonlyMap<string, string>;
  /** Inline classic scripts that have `import` or `export` statements: where those stand. */
  readonly misplacedImports: readonly number[];
}

type StartTag = HtmlToken & { readonly kind: "start" };

/** Reads a page. */
export function pageFindings(text: string): PageFindings {
  const reader = new PageReader();
  for (const token of htmlTokens(text)) reader.take(token);
  return reader;
}

// --- internal ---

const SCRIPT_TYPE = /^(?:(?:text|application)\/(?:x-)?(?:java|ecma)script(?:\s*;.*)?)?$/i;

class PageReader implements PageFindings {
  readonly references: Reference[] = [];
  readonly hints: Hint[] = [];
  readonly imports = new Map<string, string>();
  readonly misplacedImports: number[] = [];
  base: HtmlAttribute | null = null;
  writesBase = false;
  /** How many templates are open: what is in one is loaded only when a script copies it. */
  #templates = 0;
  /** How many `picture`s are open: a `source` in one is an image. */
  #pictures = 0;
  #scriptType: string | null = null;

  take(token: HtmlToken): void {
    if (token.kind === "raw") this.#takeRaw(token.element, token.text, token.offset);
    else if (token.kind === "end") this.#count(token.name, -1);
    else this.#takeStart(token);
  }

  #count(name: string, step: number): void {
    if (name === "template") this.#templates = Math.max(0, this.#templates + step);
    if (name === "picture") this.#pictures = Math.max(0, this.#pictures + step);
  }

  #takeStart(tag: StartTag): void {
    const { name, attributes } = tag;
    this.#count(name, 1);
    for (const [key, { value, offset }] of attributes) {
      if (/^on[a-z]/.test(key)) this.hints.push({ kind: "inline_script", offset });
      if (key === "style") this.#takeStyle(value, offset, true);
    }
    if (name === "base") this.base ??= attributes.get("href") ?? null;
    else if (name === "script") this.#takeScript(tag);
    else if (name === "link") this.#takeLink(tag);
    else if (name === "meta") this.#takeMeta(tag);
    else this.#takeOther(tag);
  }

  #takeScript({ name, attributes }: StartTag): void {
    const type = attributes.get("type")?.value.trim() ?? "";
    const isModule = /^module$/i.test(type);
    const source = attributes.get("src") ?? attributes.get("href") ?? attributes.get("xlink:href");
    this.#scriptType = source === undefined ? type : null;
    if (source === undefined || !(isModule || SCRIPT_TYPE.test(type))) return;
    this.#refer(name, source, isModule ? "module" : "script", {
      certain: !attributes.has("nomodule"),
      cors: isModule || attributes.has("crossorigin"),
    });
  }

  #takeLink({ name, attributes }: StartTag): void {
    const href = attributes.get("href");
    const use = linkUse(attributes);
    if (href === undefined || use === null) return;
    const isHint = /\bprefetch\b/i.test(attributes.get("rel")?.value ?? "");
    this.#refer(name, href, use, {
      certain: !isHint,
      cors: attributes.has("crossorigin") || use === "module" || use === "font",
    });
    const images = attributes.get("imagesrcset");
    if (images !== undefined) this.#takeSrcset(name, images);
  }

  #takeMeta({ name, attributes }: StartTag): void {
    const content = attributes.get("content");
    if (content === undefined) return;
    if (!/^refresh$/i.test(attributes.get("http-equiv")?.value ?? "")) return;
    const [, url] = /^[\s\d.]*[;,]\s*url\s*=\s*["']?([^"']*)/i.exec(content.value) ?? [];
    if (url !== undefined) {
      this.#refer(name, { value: url, offset: content.offset }, "navigation", { certain: false });
    }
  }

  #takeOther({ name, attributes }: StartTag): void {
    for (const [key, attribute] of attributes) {
      if (key === "srcset") this.#takeSrcset(name, attribute);
      let use = URL_ATTRIBUTES.get(`${name}[${key}]`);
      if (use === undefined) continue;
      if (name === "source" && this.#pictures > 0) use = "image";
      if (name === "input" && key === "src" && attributes.get("type")?.value !== "image") continue;
      // Of several sources one is taken; links are followed by a person.
      const certain = !["a", "area", "source", "track"].includes(name) && use !== "form";
      this.#refer(name, attribute, use, { certain, cors: attributes.has("crossorigin") });
    }
  }

  #takeSrcset(name: string, { value, offset }: HtmlAttribute): void {
    for (const url of splitSrcset(value)) this.#refer(name, { value: url, offset }, "image", {});
  }

  #takeRaw(element: string, text: string, offset: number): void {
    if (element === "style") this.#takeStyle(text, offset, false);
    if (element !== "script" || this.#scriptType === null) return;
    const type = this.#scriptType;
    if (/^importmap$/i.test(type)) this.#takeImportMap(text);
    else if (/^module$/i.test(type) || SCRIPT_TYPE.test(type)) {
      this.#takeInlineScript(text, offset, /^module$/i.test(type));
    }
  }

  #takeInlineScript(text: string, offset: number, isModule: boolean): void {
    if (text.trim() === "") return;
    if (/<base\b|createElement\(\s*["'`]base["'`]/i.test(text)) this.writesBase = true;
    const { references, hints, moduleSyntax } = scriptFindings(text);
    this.hints.push({ kind: "inline_script", offset });
    for (const hint of hints) this.hints.push({ ...hint, offset: offset + hint.offset });
    for (const found of references) {
      this.#add({ ...found, offset: offset + found.offset, from: "document" });
    }
    if (!isModule && moduleSyntax !== null) this.misplacedImports.push(offset + moduleSyntax);
  }

  #takeImportMap(text: string): void {
    try {
      const { imports } = JSON.parse(text) as { imports?: Record<string, unknown> };
      for (const [specifier, address] of Object.entries(imports ?? {})) {
        if (typeof address === "string") this.imports.set(specifier, address);
      }
    } catch {
      // A browser ignores a broken map, too; its specifiers are then found to lead nowhere.
    }
  }

  /** @param isAttribute whether character references moved what stands behind them */
  #takeStyle(text: string, offset: number, isAttribute: boolean): void {
    this.hints.push({ kind: "inline_style", offset });
    for (const found of cssReferences(text)) {
      const at = isAttribute ? offset : offset + found.offset;
      this.#add({ ...found, offset: at, from: "document" });
    }
  }

  #refer(
    name: string,
    { value, offset }: HtmlAttribute,
    use: ReferenceUse,
    rest: Partial<Pick<Reference, "certain" | "cors">>,
  ): void {
    const url = value.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, "");
    if (/^javascript:/i.test(url)) this.hints.push({ kind: "inline_script", offset });
    // An empty address is the page itself, for a link; for the others the browser asks for nothing.
    if (url === "" && name !== "a") return;
    this.#add(reference(url, use, offset, rest));
  }

  #add(found: Reference): void {
    // What a script fills in before it is used can't be read off.
    if (/\{\{|\$\{|<%/.test(found.url)) return;
    this.references.push(this.#templates > 0 ? { ...found, certain: false } : found);
  }
}
