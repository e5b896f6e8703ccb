/**
 * The values that a shell offers for a setting.
 *
 * @module
 */

import { configJsonSchema, type ConfigKey, findConfigKey } from "../config/schema.ts";

/** The names of a home that settings may take. */
export interface ValueNames {
  readonly agents: readonly string[];
  /** `AGENT/APP`. */
  readonly apps: readonly string[];
}

/** What `config set KEY` takes, as far as there is a fixed set of it or names for it. */
export function settingValues(args: readonly string[], names: ValueNames): readonly string[] {
  const key = args.map(findConfigKey).find((found) => found !== undefined);
  if (key === undefined) return [];
  const none = key.defaultValue === null ? ["null"] : [];
  return [...wordsOf(key, names), ...none];
}

// --- internal ---

function wordsOf(key: ConfigKey, { agents, apps }: ValueNames): readonly string[] {
  if (key.name === "agents.default") return agents;
  if (key.name === "local_apps.own_origin") return ["all", ...apps];
  if (key.kind === "boolean") return ["true", "false"];
  return key.kind === "choice" ? choicesOf(key) : [];
}

/** Of the JSON Schema, which has them where a program looks for them too. */
function choicesOf({ group, member }: ConfigKey): readonly string[] {
  const found = propertyOf(propertyOf(configJsonSchema(), group), member).enum;
  return Array.isArray(found) ? found.map(String) : [];
}

function propertyOf(schema: Record<string, unknown>, name: string): Record<string, unknown> {
  return (schema.properties as Record<string, Record<string, unknown>>)[name] ?? {};
}
