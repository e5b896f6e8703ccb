/**
 * Says what a Content-Security-Policy or the isolation of an app would block.
 *
 * @module
 */

import { type AppSettings, STRICT_CSP } from "../../config/settings.ts";
import {
  blockingDirective,
  type ContentPolicy,
  forbiddingDirective,
  parsePolicies,
  type PolicySource,
} from "./content_policy.ts";
import type { Tell } from "./findings.ts";
import type { Place } from "./place.ts";
import type { Hint, Reference, ReferenceUse } from "./reference.ts";

/** What is loaded without CORS, so that an isolated page asks the other site's consent for it. */
const EMBEDDED: ReadonlySet<ReferenceUse> = new Set<ReferenceUse>([
  ...["frame", "image", "media", "object", "script", "style", "worker"] as const,
]);

const DOING: Readonly<Record<Hint["kind"], string>> = {
  eval: "Code that is made from text (eval, new Function)",
  inline_script: "An inline script or event handler",
  inline_style: "An inline style",
  wasm: "Compiling WebAssembly",
};

/** Judges what pages ask for by the policy that they are sent with, else by the strict profile's. */
export class PolicyCheck {
  /** Whether the policy is in force; else it is only told of. */
  readonly #inForce: boolean;
  readonly #policies: readonly ContentPolicy[];
  readonly #isolation: boolean;

  constructor(settings: AppSettings, isolation: boolean) {
    this.#inForce = settings.csp !== null;
    this.#policies = parsePolicies(settings.csp ?? STRICT_CSP);
    this.#isolation = isolation;
  }

  checkReference(reference: Reference, place: Place, tell: Tell): void {
    const source = sourceOf(place);
    if (source === null) return;
    const { use, certain, cors } = reference;
    const url = source.kind === "scheme" ? source.scheme : reference.url;
    const directive = blockingDirective(this.#policies, use, source);
    if (directive !== null && this.#inForce) {
      const severity = certain ? "error" : "warning";
      tell(severity, "policy", `The policy of the apps blocks "${url}" (${directive})`);
    }
    const strictly = directive !== null && !this.#inForce
      ? `the profile "strict" would block it (${directive})`
      : null;
    const isExternal = source.kind === "external" && use !== "navigation";
    if (isExternal) {
      const rest = strictly === null ? "" : `; ${strictly}`;
      tell("note", "external", `"${url}" needs ${source.url.host}${rest}`);
    } else if (strictly !== null) tell("note", "policy", `"${url}": ${strictly}`);
    if (isExternal && this.#isolation && !cors && EMBEDDED.has(use)) {
      const condition = use === "frame"
        ? "is isolated itself (Cross-Origin-Embedder-Policy)"
        : "sends Cross-Origin-Resource-Policy: cross-origin";
      const message = `An isolated page gets "${url}" only if ${source.url.host} ${condition}`;
      tell("warning", "isolation", message);
    }
  }

  checkHint({ kind }: Hint, tell: Tell): void {
    const directive = forbiddingDirective(this.#policies, kind);
    if (directive === null) return;
    if (this.#inForce) {
      tell("warning", "policy", `${DOING[kind]}: the policy of the apps blocks it (${directive})`);
    } else {
      const message = `${DOING[kind]}: the profile "strict" would block it (${directive})`;
      tell("note", "policy", message);
    }
  }
}

function sourceOf(place: Place): PolicySource | null {
  switch (place.kind) {
    case "external":
      return place;
    case "local":
      return /^(?:blob|data|filesystem):$/.test(place.scheme)
        ? { kind: "scheme", scheme: place.scheme }
        : null;
    case "inside":
    case "outside":
      return { kind: "self" };
    case "malformed":
      return null;
  }
}
