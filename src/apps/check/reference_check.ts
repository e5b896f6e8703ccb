/**
 * Says what is wrong with one address of a page, a style sheet or a script.
 *
 * @module
 */

import type { AppManifest } from "../types.ts";
import { SDK_NAMES } from "../sdk_routes.ts";
import { isHidden } from "../asset_path.ts";
import { extensionOf, mediaTypeOf } from "../../http/media_types.ts";
import { STRICT_EXTENSIONS } from "../strict_profile.ts";
import type { CheckedDocument } from "./document.ts";
import type { Findings, Severity, Tell } from "./findings.ts";
import type { Lookup } from "./lookup.ts";
import { addressOf, type AppPlace, type Place, placeOf } from "./place.ts";
import type { PolicyCheck } from "./policy_check.ts";
import type { Reference } from "./reference.ts";
import { shortestPath, withoutSpecifier } from "./relative_path.ts";

/** What an address is judged by. */
export interface ReferenceCheckOptions {
  readonly app: AppPlace;
  readonly manifest: AppManifest;
  readonly typesLimited: boolean;
  readonly lookup: Lookup;
  readonly policy: PolicyCheck;
  readonly findings: Findings;
}

/** Where an address stands. */
export interface Spot {
  readonly document: CheckedDocument;
  readonly reference: Reference;
  readonly line: number;
}

/** Holon's own addresses, beside those below `/apps`. */
const HOLON_PATHS = /^\/(?:$|api\/|apps(?:\/|$)|sign-in$|favicon\.(?:ico|svg)$|handshake$)/;

/** Judges addresses. */
export class ReferenceCheck {
  readonly #options: ReferenceCheckOptions;

  constructor(options: ReferenceCheckOptions) {
    this.#options = options;
  }

  /** Tells what is wrong; gives the path of the app's file that the address leads to, if any. */
  async check(spot: Spot): Promise<string | null> {
    const { document, reference } = spot;
    const { app, policy, findings } = this.#options;
    const tell: Tell = (severity, code, message) => {
      const isWorst = severity === "error" && !document.isReached;
      findings.add(isWorst ? "warning" : severity, code, document.path, message, spot.line);
    };
    if (reference.url.startsWith("#")) return null;
    const fileBase = reference.from === "file" ? document.address : document.base;
    const target = reference.use === "import"
      ? withoutSpecifier(reference.url, document.imports)
      : { url: reference.url, isMapped: false };
    if (target === null) {
      const advice = "name a path such as ./name.js, or add an import map";
      tell(sureness(reference), "bare_import", `"${reference.url}" is no address: ${advice}`);
      return null;
    }
    const place = placeOf(target.url, target.isMapped ? document.base : fileBase, app);
    policy.checkReference(reference, place, tell);
    switch (place.kind) {
      case "external":
      case "local":
        return null;
      case "malformed":
        tell("warning", "malformed_link", `"${reference.url}" is no valid address`);
        return null;
      case "outside":
        await this.#checkOutside(spot, place, tell);
        return null;
      case "inside":
        return await this.#checkInside(spot, place, tell);
    }
  }

  async #checkOutside(
    { document, reference }: Spot,
    { path, isAbsolute }: Place & { readonly kind: "outside" },
    tell: Tell,
  ): Promise<void> {
    const { url } = reference;
    const own = await this.#besideDocument(document, url);
    if (own !== null) {
      const advice = `write "${own}": the entry page is served at the app's root`;
      tell("error", "leaves_app", `"${url}" leads out of the app: ${advice}`);
      return;
    }
    if (HOLON_PATHS.test(path) && !this.#isOwnName(path)) {
      const isOther = !/^\/apps\/[^/]+\/[^/]+\/./.test(path);
      const severity = isAbsolute || isOther ? "note" : "warning";
      tell(severity, "leaves_app", `"${url}" leads out of the app, to ${path}`);
      return;
    }
    if (!isAbsolute) {
      tell(sureness(reference), "leaves_app", `"${url}" leads out of the app, where nothing is`);
      return;
    }
    const found = await this.#insteadOf(path, document);
    const advice = found === null ? "write it without the slash in front" : `write "${found}"`;
    tell("error", "absolute_link", `"${url}" misses the app, which is not at "/": ${advice}`);
  }

  async #checkInside(
    { document, reference }: Spot,
    { components }: Place & { readonly kind: "inside" },
    tell: Tell,
  ): Promise<string | null> {
    const { lookup, manifest } = this.#options;
    const { url, use } = reference;
    const [first = ""] = components;
    const path = components.join("/");
    // The app's root: its entry page has been looked into.
    if (components.length === 0) return null;
    if (components.length === 1 && (SDK_NAMES.has(first) || first === "holon.mjs")) {
      return lookup.isFile(path) && first === "holon.mjs" ? path : null;
    }
    if (components.some(isHidden)) {
      tell(sureness(reference), "hidden", `"${url}" begins with a dot: it is never served`);
      return null;
    }
    const found = await lookup.find(path);
    if (found.kind === "refused") {
      tell(sureness(reference), "not_served", `"${url}" is refused: ${found.message}`);
      return null;
    }
    if (found.kind === "missing") {
      const isNavigation = use === "navigation" || use === "form";
      const hasFallback = manifest.fallback !== null && extensionOf(components.at(-1)!) === "";
      if (!(isNavigation && hasFallback)) await this.#tellMissing(reference, document, path, tell);
      return null;
    }
    const similar = lookup.similarTo(path);
    if (similar !== null && !lookup.isFile(path)) {
      tell("warning", "case_mismatch", `"${url}" is "${similar}" in the folder: names are exact`);
    }
    this.#checkType(reference, found.name, tell);
    return path;
  }

  async #tellMissing(
    reference: Reference,
    document: CheckedDocument,
    path: string,
    tell: Tell,
  ): Promise<void> {
    const { lookup } = this.#options;
    const { url } = reference;
    const severity = sureness(reference);
    const similar = lookup.similarTo(path);
    const name = path.slice(path.lastIndexOf("/") + 1);
    const own = await this.#besideDocument(document, url);
    if (similar !== null) {
      tell(severity, "case_mismatch", `There is "${similar}", but no "${path}": names are exact`);
    } else if (lookup.isFolder(path)) {
      const index = `${path}/index.html`;
      const advice = lookup.isFile(index) ? `link to ${index}` : "link to a page in it";
      tell(
        severity,
        "folder_link",
        `"${url}" is a folder, and a folder's address is 404: ${advice}`,
      );
    } else if (own !== null) {
      const advice = `write "${own}": the entry page is served at the app's root`;
      tell(severity, "missing_file", `There is no "${path}": ${advice}`);
    } else if (name === "holon.js" || name === "holon.mjs") {
      const advice = `write "${shortestPath(document.base, addressOf(this.#options.app, name))}"`;
      tell(
        severity,
        "missing_file",
        `There is no "${path}": the SDK is at the app's root, ${advice}`,
      );
    } else {
      tell(severity, "missing_file", `There is no "${path}"`);
    }
  }

  #checkType({ url, use }: Reference, name: string, tell: Tell): void {
    const type = mediaTypeOf(name);
    const [essence] = type.split(";");
    const isData = use === "import" && ["json", "css", "wasm"].includes(extensionOf(name));
    const wanted = use === "style"
      ? "text/css"
      : ["import", "module", "script", "worker"].includes(use) && !isData
      ? "text/javascript"
      : essence;
    if (essence !== wanted) {
      const what = use === "style" ? "apply" : "run";
      tell("error", "wrong_type", `"${url}" is sent as ${essence}: browsers won't ${what} it`);
    } else if (this.#options.typesLimited && !STRICT_EXTENSIONS.has(extensionOf(name))) {
      tell("error", "strict_type", `"${url}" is not served under the profile "strict"`);
    }
  }

  /** For an entry page in a subfolder: what the author may have meant, as seen from that folder. */
  async #besideDocument(document: CheckedDocument, url: string): Promise<string | null> {
    const { app, lookup, manifest } = this.#options;
    const root = addressOf(app, "");
    if (document.path !== manifest.entry || document.address.href !== root.href) return null;
    const beside = placeOf(url, addressOf(app, document.path), app);
    if (beside.kind !== "inside" || beside.components.length === 0) return null;
    const path = beside.components.join("/");
    return (await lookup.find(path)).kind === "file" ? path : null;
  }

  /** What an absolute address may have meant: the same path below the app's root. */
  async #insteadOf(path: string, document: CheckedDocument): Promise<string | null> {
    const { app, lookup } = this.#options;
    let below: string;
    try {
      below = decodeURIComponent(path.slice(1));
    } catch {
      return null;
    }
    if (below === "" || (await lookup.find(below)).kind !== "file") return null;
    return shortestPath(document.base, addressOf(app, below));
  }

  /** Whether an address below `/apps` names this app, but of another agent. */
  #isOwnName(path: string): boolean {
    return path.split("/")[3] === this.#options.app.appId && /^\/apps\/[^/]+\/[^/]+\//.test(path);
  }
}

function sureness({ certain }: Reference): Severity {
  return certain ? "error" : "warning";
}
