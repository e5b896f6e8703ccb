/**
 * The JSON document behind the settings: reading keys out of it, changing them, and all that it
 * holds besides.
 *
 * @module
 */

import { aliasesOf, CONFIG_KEYS, type ConfigKey, DEFAULT_SETTINGS } from "./schema.ts";
import type { ConfigSnapshot, Settings } from "./settings.ts";

/** The parsed content of `config.json`; it may hold keys that this version does not know. */
export type ConfigDocument = Readonly<Record<string, unknown>>;

/** What a document comes to. */
export type DocumentReading =
  | { readonly ok: true; readonly snapshot: ConfigSnapshot; readonly unknown: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** Checks a document as a whole and fills in the defaults. */
export function readDocument(document: ConfigDocument): DocumentReading {
  for (const group of new Set(CONFIG_KEYS.map((key) => key.group))) {
    const value = ownValue(document, group);
    if (value !== undefined && !isRecord(value)) {
      return {
        ok: false,
        problem: `${group} has to be an object with keys such as ${sample(group)}`,
      };
    }
  }
  const settings = structuredClone(DEFAULT_SETTINGS) as unknown as Record<
    string,
    Record<string, unknown>
  >;
  const explicit = new Set<string>();
  for (const key of CONFIG_KEYS) {
    const value = explicitValue(document, key);
    if (value === undefined) continue;
    const problem = key.problem(value);
    if (problem !== null) return { ok: false, problem };
    explicit.add(key.name);
    settings[key.group]![key.member] = structuredClone(key.canonical(value));
  }
  return {
    ok: true,
    snapshot: { settings: deepFreeze(settings) as unknown as Settings, explicit },
    unknown: unknownKeys(document),
  };
}

/** The value that a document gives a key under its name or an alias; `undefined` for none. */
export function explicitValue(document: ConfigDocument, key: ConfigKey): unknown {
  for (const name of [key.name, ...aliasesOf(key)]) {
    const value = valueAt(document, name.split("."));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A copy of the document with the key set to `value`, or without it for `undefined`. */
export function withValue(
  document: ConfigDocument,
  key: ConfigKey,
  value: unknown,
): ConfigDocument {
  let next = document;
  for (const alias of aliasesOf(key)) next = withPath(next, alias.split("."), undefined);
  return withPath(next, [key.group, key.member], value);
}

/** The value of a key in a snapshot. */
export function settingOf(snapshot: ConfigSnapshot, key: ConfigKey): unknown {
  const groups = snapshot.settings as unknown as Record<string, Record<string, unknown>>;
  return groups[key.group]?.[key.member];
}

/** Whether two JSON values are equal, with the members of an object in any order. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) || Array.isArray(right)) {
    return Array.isArray(left) && Array.isArray(right) && left.length === right.length &&
      left.every((value, index) => sameJson(value, right[index]));
  }
  if (!isRecord(left) || !isRecord(right)) return false;
  const names = Object.keys(left);
  return names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]));
}

function unknownKeys(document: ConfigDocument): string[] {
  const names: string[] = [];
  const known = new Set(CONFIG_KEYS.flatMap((key) => [key.name, ...aliasesOf(key)]));
  const walk = (value: unknown, path: string): void => {
    if (known.has(path)) return;
    const isPrefix = [...known].some((name) => name.startsWith(`${path}.`));
    if (!isPrefix || !isRecord(value)) {
      names.push(path);
      return;
    }
    for (const [name, inner] of Object.entries(value)) walk(inner, `${path}.${name}`);
  };
  for (const [name, value] of Object.entries(document)) {
    // An editor's pointer to the schema is no setting.
    if (name !== "$schema") walk(value, name);
  }
  return names;
}

function withPath(
  document: ConfigDocument,
  path: readonly string[],
  value: unknown,
): ConfigDocument {
  const [name, ...rest] = path;
  if (name === undefined) return document;
  const current = ownValue(document, name);
  const inner = isRecord(current) ? current : {};
  const next = rest.length === 0 ? value : withPath(inner, rest, value);
  const copy = { ...document };
  const isGone = next === undefined ||
    (rest.length > 0 && Object.keys(next as object).length === 0);
  if (isGone) delete copy[name];
  else copy[name] = next;
  return copy;
}

function valueAt(document: ConfigDocument, path: readonly string[]): unknown {
  let value: unknown = document;
  for (const name of path) {
    if (!isRecord(value)) return undefined;
    value = ownValue(value, name);
  }
  return value;
}

function ownValue(record: ConfigDocument, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sample(group: string): string {
  return CONFIG_KEYS.filter((key) => key.group === group).map((key) => key.member).join(", ");
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === "object" && inner !== null) deepFreeze(inner as object);
  }
  return Object.freeze(value);
}
