/**
 * The media type of a file by its name.
 *
 * @module
 */

import { registeredType } from "./std.ts";

/** What a file is sent as when nothing better is known: a browser then never runs or renders it. */
export const UNKNOWN_TYPE = "application/octet-stream";

/** Types that differ from the registry, or that it lacks (`facts/holon.md` §b.7). */
const OVERRIDES: ReadonlyMap<string, string> = new Map([
  // The registry has text/javascript for js and mjs only.
  ["cjs", "text/javascript"],
  ["js", "text/javascript"],
  ["mjs", "text/javascript"],
  // The registry says MPEG video; in an app they are sources.
  ["cts", "text/plain"],
  ["jsx", "text/plain"],
  ["mts", "text/plain"],
  ["ts", "text/plain"],
  ["tsx", "text/plain"],
  ["css", "text/css"],
  ["html", "text/html"],
  ["htm", "text/html"],
  ["ico", "image/x-icon"],
  ["json", "application/json"],
  ["map", "application/json"],
  ["wasm", "application/wasm"],
  // Game builds: Unity's data and compressed files, Godot's pack, Emscripten's memory images.
  ["data", UNKNOWN_TYPE],
  ["mem", UNKNOWN_TYPE],
  ["pck", UNKNOWN_TYPE],
  ["unityweb", UNKNOWN_TYPE],
  // Downloads as they are: never a coding of the answer.
  ["br", UNKNOWN_TYPE],
  ["gz", "application/gzip"],
  ["tgz", "application/gzip"],
  ["zst", UNKNOWN_TYPE],
  // Names that browsers know better than the registry's.
  ["flac", "audio/flac"],
  ["m4v", "video/mp4"],
  ["wav", "audio/wav"],
  ["frag", "text/plain"],
  ["glsl", "text/plain"],
  ["vert", "text/plain"],
  ["jsonl", "application/jsonl"],
  ["ndjson", "application/x-ndjson"],
]);

/** Types that carry `charset=utf-8` though they are no `text/*`. */
const UTF8_TYPES: ReadonlySet<string> = new Set([
  "application/json",
  "application/manifest+json",
]);

/**
 * Returns the `Content-Type` for a file by the last extension of its name, e.g. `game.data` →
 * `application/octet-stream`. Unknown extensions and names without one are octet streams.
 *
 * @param name the file's own name, any directory cut off
 */
export function mediaTypeOf(name: string): string {
  const extension = extensionOf(name);
  if (extension === "") return UNKNOWN_TYPE;
  const type = OVERRIDES.get(extension) ?? registeredType(extension) ?? UNKNOWN_TYPE;
  return type.startsWith("text/") || UTF8_TYPES.has(type) ? `${type}; charset=utf-8` : type;
}

/**
 * Returns what follows the last dot of a file name, in lower case; empty where there is no dot or
 * nothing before or after it.
 */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}
