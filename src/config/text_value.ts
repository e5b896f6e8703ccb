/**
 * Values as a person types them on a command line.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { type ConfigKey, findConfigKey } from "./schema.ts";

const TRUE = new Set(["1", "on", "t", "true", "y", "yes"]);
const FALSE = new Set(["0", "f", "false", "n", "no", "off"]);

/**
 * Turns typed text into a key's value: numbers in decimal digits, booleans as `true`, `yes`, `on`,
 * `1` and their opposites, lists as a JSON array or with commas (`facts/holon.md` §g), `null` where
 * a key takes it.
 *
 * @throws {Fault} `bad_request` with a sentence that names the key
 */
export function parseConfigText(key: ConfigKey, text: string): unknown {
  const value = convert(key, text.trim());
  const problem = key.problem(value);
  if (problem !== null) throw new Fault("bad_request", problem);
  return value;
}

/** The key of that name, or a refusal that says how to list the keys. */
export function requireConfigKey(name: string): ConfigKey {
  const key = findConfigKey(name);
  if (key !== undefined) return key;
  throw new Fault("bad_request", `There is no setting "${name}"`, {
    hint: "Run `holon config list` to see all settings.",
  });
}

function convert(key: ConfigKey, text: string): unknown {
  if (text === "null" && key.defaultValue === null) return null;
  switch (key.kind) {
    case "boolean": {
      const word = text.toLowerCase();
      return TRUE.has(word) ? true : FALSE.has(word) ? false : text;
    }
    case "integer":
      return /^[+-]?\d+$/.test(text) ? Number(text) : text;
    case "list":
      return text.startsWith("[") ? parseArray(key, text) : splitList(text);
    case "choice":
      return text.toLowerCase();
    case "text":
      return text;
  }
}

function splitList(text: string): string[] {
  return text.split(",").map((item) => item.trim()).filter((item) => item !== "");
}

function parseArray(key: ConfigKey, text: string): unknown {
  // An IPv6 literal in brackets also begins with "[".
  try {
    return JSON.parse(text);
  } catch {
    if (/^\[[0-9A-Fa-f:.]+\]/.test(text)) return splitList(text);
    throw new Fault("bad_request", `${key.name} is no valid JSON array`, {
      hint: 'Write ["one","two"] or one,two.',
    });
  }
}
