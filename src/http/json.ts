/**
 * JSON answers, with the headers that every one of them has.
 *
 * @module
 */

import { lightResponse } from "../host/fetch/light_response.ts";

const encoder = new TextEncoder();

/** Headers of every answer that is made here rather than read from a file. */
export const API_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

const OWN_HEADERS = new Map([
  ...Object.entries(API_HEADERS),
  ["content-type", "application/json"] as const,
]);

/** Makes a JSON response with an exact `Content-Length`. */
export function jsonResponse(
  value: unknown,
  init: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  const bytes = encoder.encode(JSON.stringify(value) + "\n");
  const headers = new Map(OWN_HEADERS);
  headers.set("content-length", String(bytes.byteLength));
  const response = lightResponse(init.status ?? 200, headers, bytes);
  for (const name in init.headers) response.headers.set(name, init.headers[name]!);
  return response;
}
