/**
 * Which file of an app a refusal was about, for the log: someone who reads "404" wants to know.
 *
 * @module
 */

import type { FaultCode } from "../fault.ts";
import type { RequestTrail } from "../http/trail.ts";
import { redact } from "./redact.ts";

/** The most characters that are told. */
const MAX_PATH = 256;

/** Refusals that are about the file. */
const ABOUT_FILES: ReadonlySet<FaultCode | null> = new Set<FaultCode>([
  "app_asset_too_large",
  "app_host_error",
  "forbidden",
  "not_found",
  "unsupported_app_asset_type",
]);

/** The route of an app's files. */
const FILES = "/apps/:agent/:app/:path+";

/**
 * The path below the app's folder, percent-decoded, where a file was refused; `null` for all other
 * answers. It has no query, control characters are escaped, and what may be a secret is taken out.
 */
export function refusedPath({ route, code, params }: RequestTrail): string | null {
  const path = params["path"];
  if (route?.path !== FILES || path === undefined || !ABOUT_FILES.has(code)) return null;
  const clean = redact(path).split("/").map(withoutToken).join("/").replace(UNSEEN, escaped);
  return clean.length <= MAX_PATH ? clean : `${clean.slice(0, MAX_PATH - 1)}…`;
}

// --- internal ---

/** Control characters, line ends and what turns the direction of text around. */
// deno-lint-ignore no-control-regex
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Names of files have an extension, and links of single-page apps may carry tokens: a long component
 * of letters and digits without an extension is not told.
 */
function withoutToken(component: string): string {
  if (component.length < 16 || /\.[A-Za-z0-9]{1,8}$/.test(component)) return component;
  return /\d/.test(component) && /[A-Za-z]/.test(component) ? "[redacted]" : component;
}
