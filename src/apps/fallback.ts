/**
 * The page that answers for addresses of a single-page app that no file has.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { isNavigation } from "../http/errors.ts";
import { extensionOf } from "../http/media_types.ts";
import { SDK_NAMES } from "./sdk_routes.ts";
import type { AppManifest } from "./types.ts";

/** What decides between the page and the refusal, as names of request headers. */
export const FALLBACK_VARY: readonly string[] = ["accept", "sec-fetch-mode"];

/**
 * Returns the path of the fallback page where it answers instead of a refusal, else `null`: a
 * browser goes to an address without an extension, and there is nothing. A missing script or image
 * stays missing, and what is refused for another reason stays refused.
 *
 * @param components of the path that was asked for
 * @param refusal what came of it
 */
export function fallbackFor(
  { fallback }: AppManifest,
  components: readonly string[],
  request: Request,
  refusal: unknown,
): string | null {
  if (fallback === null) return null;
  if (!(refusal instanceof Fault) || refusal.code !== "not_found") return null;
  const last = components.at(-1) ?? "";
  const isReserved = components.length === 1 && SDK_NAMES.has(last);
  if (isReserved || extensionOf(last) !== "") return null;
  return isNavigation(request) ? fallback : null;
}
