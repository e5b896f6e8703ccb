/**
 * The rules of `manifest.json` (contract: Manifest contract; `facts/holon.md` §d.3).
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { assetComponents } from "./asset_path.ts";
import type { AppManifest } from "./types.ts";

/** The most that a manifest may hold, in bytes. */
export const MANIFEST_LIMIT: number = 64 * 1024;

/** The page that is the entry of an app without a manifest. */
export const DEFAULT_ENTRY = "index.html";

/** What holds for an app without `manifest.json`. */
export function derivedManifest(appId: string): AppManifest {
  return {
    id: appId,
    name: appId,
    version: "0.0.0",
    entry: DEFAULT_ENTRY,
    description: null,
    isolation: false,
    fallback: null,
  };
}

/**
 * Reads and validates a manifest; the first rule that is broken decides. A UTF-8 byte order mark is
 * ignored (RFC 8259 §8.1), unknown keys too.
 *
 * @param bytes the whole file
 * @param appId the id that the app is asked for by: its folder's name
 * @throws {Fault} `invalid_app_manifest` (422)
 */
export function parseManifest(bytes: Uint8Array, appId: string): AppManifest {
  if (bytes.byteLength > MANIFEST_LIMIT) throw manifestFault("is larger than 64 KiB");
  const value = parseObject(bytes);
  const id = requiredText(value, "id");
  const name = requiredText(value, "name");
  const version = requiredText(value, "version");
  const entry = requiredText(value, "entry");
  const description = value["description"] ?? null;
  if (description !== null && typeof description !== "string") {
    throw manifestFault('has a "description" that is no text');
  }
  const isolation = Object.hasOwn(value, "isolation") ? value["isolation"] : false;
  if (typeof isolation !== "boolean") {
    throw manifestFault('has an "isolation" that is neither true nor false');
  }
  const fallback = Object.hasOwn(value, "fallback") ? value["fallback"] : null;
  if (fallback !== null && typeof fallback !== "string") {
    throw manifestFault('has a "fallback" that is no text');
  }
  if (id !== appId) {
    throw manifestFault(`has another "id" than its folder's name, "${appId}"`);
  }
  if (name.trim() === "") throw manifestFault('has an empty "name"');
  if (version.trim() === "") throw manifestFault('has an empty "version"');
  return {
    id,
    name: name.trim(),
    version: version.trim(),
    entry: pagePath("entry", entry.trim()),
    description,
    isolation,
    fallback: fallback === null ? null : pagePath("fallback", fallback.trim()),
  };
}

/**
 * The refusal of a manifest.
 *
 * @param problem what is wrong, to follow "The app's manifest.json"
 */
export function manifestFault(problem: string): Fault {
  return new Fault("invalid_app_manifest", `The app's manifest.json ${problem}`, {
    hint: "Run `holon apps check <dir>` to check the app's folder.",
  });
}

// --- internal ---

function parseObject(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw manifestFault("is UTF-16: save it as UTF-8");
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw manifestFault("is not valid UTF-8");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw manifestFault("is not valid JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw manifestFault("holds no JSON object");
  }
  return value as Readonly<Record<string, unknown>>;
}

function requiredText(value: Readonly<Record<string, unknown>>, key: string): string {
  const text = Object.hasOwn(value, key) ? value[key] : undefined;
  if (typeof text === "string") return text;
  throw manifestFault(text === undefined ? `lacks "${key}"` : `has a "${key}" that is no text`);
}

function pagePath(key: "entry" | "fallback", path: string): string {
  const what = key === "entry" ? 'an "entry"' : 'a "fallback"';
  let components: readonly string[];
  try {
    components = assetComponents(path);
  } catch {
    throw manifestFault(`has ${what} that is no safe path inside the app`);
  }
  const last = components.at(-1);
  if (last === undefined) throw manifestFault(`has an empty "${key}"`);
  if (!/\.html?$/i.test(last)) throw manifestFault(`has ${what} that is no .html file`);
  return components.join("/");
}
