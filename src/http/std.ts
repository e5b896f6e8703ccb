/**
 * The one seam to `@std`: npm's build of it here, so that JSR is a change of this file only.
 *
 * Of `@std/http` nothing is used: its entity tags are weak and its `If-None-Match` splits tags at
 * commas, while files here need strong ones and the whole grammar (`entity_tag.ts`).
 *
 * @module
 */

/// <reference path="./deno_std.d.ts" />
import { typeByExtension } from "deno-std/media_types/type_by_extension.js";

/**
 * Returns the registered media type of a file extension (without its dot), or `undefined`.
 */
export function registeredType(extension: string): string | undefined {
  return typeByExtension(extension);
}
