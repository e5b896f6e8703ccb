/**
 * Follows what an app's pages ask for, from the entry page on.
 *
 * @module
 */

import { extensionOf } from "../../http/media_types.ts";
import type { AppManifest } from "../types.ts";
import { cssReferences } from "./css_references.ts";
import { type CheckedDocument, type DocumentKind, lineCounter } from "./document.ts";
import type { CheckedFolder, FolderIndex } from "./folder_walk.ts";
import { type PageFindings, pageFindings } from "./html_references.ts";
import { Lookup } from "./lookup.ts";
import { addressOf, type AppPlace, placeOf, rootOf } from "./place.ts";
import { PolicyCheck } from "./policy_check.ts";
import type { Hint, Reference } from "./reference.ts";
import { ReferenceCheck } from "./reference_check.ts";
import { scriptFindings } from "./script_references.ts";

/** What to follow, and by which rules. */
export interface CrawlOptions {
  readonly folder: CheckedFolder;
  readonly index: FolderIndex;
  readonly app: AppPlace;
  /** The app's own, or what is derived where that is broken. */
  readonly manifest: AppManifest;
}

/** More texts are not read. */
const MAX_DOCUMENTS = 5000;

const NO_IMPORTS: ReadonlyMap<string, string> = new Map();

/** Checks every text that can be reached, and then pages that can't be. Gives whether it read all. */
export async function crawl(options: CrawlOptions): Promise<boolean> {
  const walk = new Crawl(options);
  const { manifest, app, index } = options;
  const root = addressOf(app, "");
  walk.enqueue(page(manifest.entry, root, true));
  if (manifest.fallback !== null) walk.enqueue(page(manifest.fallback, root, true));
  await walk.run();
  for (const path of index.files) {
    if (isPage(path) && !walk.hasRead(path)) walk.enqueue(page(path, addressOf(app, path), false));
  }
  await walk.run();
  return !walk.truncated;
}

// --- internal ---

class Crawl {
  truncated = false;
  readonly #options: CrawlOptions;
  readonly #lookup: Lookup;
  readonly #policy: PolicyCheck;
  readonly #references: ReferenceCheck;
  readonly #pending: CheckedDocument[] = [];
  readonly #seen = new Set<string>();
  readonly #paths = new Set<string>();

  constructor(options: CrawlOptions) {
    this.#options = options;
    const { folder, index, app, manifest } = options;
    const { settings, findings } = folder;
    this.#lookup = new Lookup(folder, index);
    this.#policy = new PolicyCheck(settings, manifest.isolation);
    this.#references = new ReferenceCheck({
      app,
      manifest,
      typesLimited: settings.typesLimited,
      lookup: this.#lookup,
      policy: this.#policy,
      findings,
    });
  }

  enqueue(document: CheckedDocument): void {
    const { kind, path, address } = document;
    const key = JSON.stringify([kind, path, kind === "html" ? address.href : ""]);
    if (this.#seen.has(key)) return;
    if (this.#seen.size >= MAX_DOCUMENTS) {
      this.truncated = true;
      return;
    }
    this.#seen.add(key);
    this.#paths.add(path);
    this.#pending.push(document);
  }

  hasRead(path: string): boolean {
    return this.#paths.has(path);
  }

  async run(): Promise<void> {
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      const text = await this.#lookup.read(next.path);
      if (text === null) continue;
      if (next.kind === "html") await this.#takePage(next, text);
      else if (next.kind === "css") await this.#takeAll(next, text, cssReferences(text), []);
      else await this.#takeScript(next, text);
    }
  }

  async #takePage(document: CheckedDocument, text: string): Promise<void> {
    const found = pageFindings(text);
    const base = this.#baseOf(document, found, text);
    const withBase = { ...document, base, imports: found.imports };
    await this.#takeAll(withBase, text, found.references, found.hints);
    const lineOf = lineCounter(text);
    for (const offset of found.misplacedImports) this.#tellOfImport(document, lineOf(offset));
    if (document.path === this.#options.manifest.fallback) {
      this.#checkFallback(document, found, text);
    }
  }

  async #takeScript(document: CheckedDocument, text: string): Promise<void> {
    const { references, hints, moduleSyntax } = scriptFindings(text);
    await this.#takeAll(document, text, references, firstOfEach(hints));
    if (document.kind === "classic" && moduleSyntax !== null) {
      this.#tellOfImport(document, lineCounter(text)(moduleSyntax));
    }
  }

  async #takeAll(
    document: CheckedDocument,
    text: string,
    references: readonly Reference[],
    hints: readonly Hint[],
  ): Promise<void> {
    const lineOf = lineCounter(text);
    const { findings } = this.#options.folder;
    for (const hint of hints) {
      const line = lineOf(hint.offset);
      this.#policy.checkHint(hint, (severity, code, message) => {
        findings.add(severity, code, document.path, message, line);
      });
    }
    for (const reference of references) {
      const line = lineOf(reference.offset);
      const path = await this.#references.check({ document, reference, line });
      if (path !== null) this.#follow(document, reference, path);
    }
  }

  /** Reads what a reference leads to, where that may ask for more. */
  #follow(from: CheckedDocument, { use }: Reference, path: string): void {
    const kind = kindOf(use, path);
    if (kind === null) return;
    const address = addressOf(this.#options.app, path);
    const { isReached } = from;
    if (kind === "html") {
      const isEntry = path === this.#options.manifest.entry;
      // The entry page is found at the root as well as at its path: what matters is how it is left.
      if (!isEntry || path.includes("/")) this.enqueue(page(path, address, isReached));
      return;
    }
    // A worker's own address is what it asks from.
    const base = use === "worker" ? address : from.base;
    const imports = use === "worker" ? NO_IMPORTS : from.imports;
    this.enqueue({ kind, path, address, base, imports, isReached });
  }

  #baseOf(document: CheckedDocument, { base }: PageFindings, text: string): URL {
    if (base === null || base.value.trim() === "") return document.address;
    const { app, folder } = this.#options;
    const place = placeOf(base.value.trim(), document.address, app);
    if (place.kind === "inside") {
      const path = place.components.join("/");
      return addressOf(app, place.isFolder && path !== "" ? `${path}/` : path);
    }
    const line = lineCounter(text)(base.offset);
    const message = `<base href="${base.value}"> leads out of the app, and all its links with it`;
    const severity = document.isReached ? "error" : "warning";
    folder.findings.add(severity, "absolute_link", document.path, message, line);
    // So that each link isn't told of again.
    return document.address;
  }

  /** What is relative is looked for beside the address that the page was opened at. */
  #checkFallback(document: CheckedDocument, found: PageFindings, text: string): void {
    if (found.base !== null || found.writesBase) return;
    const { app, folder } = this.#options;
    const relative = found.references.find(({ url, use, certain }) =>
      certain && use !== "import" && !/^(?:[\\/#]|$)/.test(url) &&
      ["inside", "outside"].includes(placeOf(url, document.address, app).kind)
    );
    if (relative === undefined) return;
    const message = `As the fallback it is opened at addresses like a/b, where "${relative.url}" ` +
      `is not found: add <base href="${rootOf(app, "AGENT")}">`;
    const line = lineCounter(text)(relative.offset);
    folder.findings.add("warning", "fallback_base", document.path, message, line);
  }

  #tellOfImport({ path, isReached }: CheckedDocument, line: number): void {
    const message = 'It imports or exports, but is loaded as a classic script: use type="module"';
    const severity = isReached ? "error" : "warning";
    this.#options.folder.findings.add(severity, "classic_import", path, message, line);
  }
}

function page(path: string, address: URL, isReached: boolean): CheckedDocument {
  return { kind: "html", path, address, base: address, imports: NO_IMPORTS, isReached };
}

function isPage(path: string): boolean {
  return ["htm", "html"].includes(extensionOf(path));
}

function kindOf(use: Reference["use"], path: string): DocumentKind | null {
  const extension = extensionOf(path);
  switch (use) {
    case "frame":
    case "navigation":
      return isPage(path) ? "html" : null;
    case "style":
      return extension === "css" ? "css" : null;
    case "script":
      return ["cjs", "js", "mjs"].includes(extension) ? "classic" : null;
    case "import":
    case "module":
    case "worker":
      return ["cjs", "js", "mjs"].includes(extension) ? "module" : null;
    default:
      return null;
  }
}

function firstOfEach(hints: readonly Hint[]): readonly Hint[] {
  return hints.filter(({ kind }, index) =>
    hints.findIndex((other) => other.kind === kind) === index
  );
}
