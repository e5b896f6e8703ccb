/**
 * A copy of npm's deno-std whose file server loads: as published it lacks seven modules.
 *
 * @module
 */

import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../../scripts/gate/tools.ts";

/** The missing modules, as far as the file server uses them. */
const MISSING: Readonly<Record<string, string>> = {
  "fs/exists.js":
    "export const exists = (path) => Deno.stat(path).then(() => true, () => false);\n",
  "media-types/content_type.js": 'export { contentType } from "../media_types/content_type.js";\n',
  "net/unstable_get_network_address.js": "export const getNetworkAddress = () => undefined;\n",
  "http/deno.json": '{ "version": "1.4.0" }\n',
  "http/unstable_header.js": `export const HEADER = {
  AcceptRanges: "Accept-Ranges",
  AccessControlAllowHeaders: "Access-Control-Allow-Headers",
  AccessControlAllowOrigin: "Access-Control-Allow-Origin",
  ContentLength: "Content-Length",
  ContentRange: "Content-Range",
  ContentType: "Content-Type",
  ETag: "ETag",
  IfModifiedSince: "If-Modified-Since",
  IfNoneMatch: "If-None-Match",
  LastModified: "Last-Modified",
  Range: "Range",
};
`,
  "http/unstable_method.js": 'export const METHOD = { Get: "GET", Head: "HEAD" };\n',
  "html/unstable_html.js": "export const html = String.raw;\n",
};

/** Copies the library into a folder and adds what it lacks; gives the copy's path. */
export function copyDenoStd(directory: string): string {
  const copy = join(directory, "deno-std");
  cpSync(join(ROOT, "node_modules", "deno-std"), copy, { recursive: true });
  for (const [path, text] of Object.entries(MISSING)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  return copy;
}
