/**
 * The file types of the strict profile (contract: Asset Boundaries of the older guide; the list
 * is that of `facts/holon.md` §b.7). Its policy and its limit are in `config/settings.ts`.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { extensionOf } from "../http/media_types.ts";

/** Extensions that are served: HTML, JS, CSS, JSON, TXT, SVG, common images and common fonts. */
export const STRICT_EXTENSIONS: ReadonlySet<string> = new Set([
  ...["html", "htm", "js", "mjs", "css", "json", "map", "txt"],
  ...["svg", "png", "jpg", "jpeg", "gif", "webp", "ico"],
  ...["woff", "woff2", "ttf", "otf"],
]);

/**
 * Refuses a file of another type.
 *
 * @param name the file's own name, links resolved
 * @throws {Fault} `unsupported_app_asset_type` (415)
 */
export function requireStrictType(name: string): void {
  if (STRICT_EXTENSIONS.has(extensionOf(name))) return;
  throw new Fault(
    "unsupported_app_asset_type",
    'Files of this type are not served under the profile "strict"',
    { hint: "Run `holon config set local_apps.profile open` to serve files of every type." },
  );
}
