/**
 * Serves the browser SDK: text that was built with the program.
 *
 * @module
 */

import { parseEntityTags } from "../http/entity_tag.ts";
import { SDK_VERSION } from "./app_request.ts";

/** Answers a GET or HEAD with the script. */
export type ServeScript = (request: Request) => Promise<Response>;

/**
 * Makes the handler of a script. Its tag is a digest of its text, so that a browser asks again each
 * time (`no-cache`) and is sent the script only when another one was built.
 */
export function serveScript(text: string): ServeScript {
  const bytes = new TextEncoder().encode(text);
  let digest: Promise<string> | undefined;
  return async (request) => {
    digest ??= digestOf(bytes);
    const opaque = await digest;
    const headers = {
      "cache-control": "no-cache",
      "cross-origin-resource-policy": "same-origin",
      "etag": `"${opaque}"`,
      "x-content-type-options": "nosniff",
      "x-holon-app-sdk-version": SDK_VERSION,
    };
    const known = parseEntityTags(request.headers.get("if-none-match") ?? "");
    if (known === "*" || known.some((tag) => tag.opaque === opaque)) {
      return new Response(null, { status: 304, headers });
    }
    return new Response(request.method === "HEAD" ? null : bytes, {
      headers: {
        ...headers,
        "content-type": "text/javascript; charset=utf-8",
        "content-length": String(bytes.byteLength),
      },
    });
  };
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
