/**
 * JSON answers, with the headers that every one of them has.
 *
 * @module
 */

import { attachByteBody } from "../host/byte_body.ts";

const encoder = new TextEncoder();

/** Headers of every answer that is made here rather than read from a file. */
export const API_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

/** Makes a JSON response with an exact `Content-Length`. */
export function jsonResponse(
  value: unknown,
  init: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  const bytes = encoder.encode(JSON.stringify(value) + "\n");
  const response = new Response(bytes, {
    status: init.status ?? 200,
    headers: {
      ...API_HEADERS,
      "content-type": "application/json",
      "content-length": String(bytes.byteLength),
      ...init.headers,
    },
  });
  attachByteBody(response, bytes);
  return response;
}
