/**
 * Calls a server's JSON API, one connection a call, so that nothing is kept open over a restart.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { rawRequest } from "./raw_http.ts";

/** An answer with a JSON body. */
export interface JsonAnswer {
  readonly status: number;
  /** The body; `null` where there is none. */
  // deno-lint-ignore no-explicit-any
  readonly body: any;
}

/** Calls `url + path` on a loopback address; a body makes it a POST. */
export async function callJson(
  url: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<JsonAnswer> {
  const { hostname, port, host } = new URL(url);
  const text = body === undefined ? "" : JSON.stringify(body);
  const lines = [
    `${body === undefined ? "GET" : "POST"} ${path} HTTP/1.1`,
    `Host: ${host}`,
    "Connection: close",
    ...(body === undefined
      ? []
      : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(text)}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const target = { host: hostname, port: Number(port) };
  const bytes = Buffer.from(`${lines.join("\r\n")}\r\n\r\n${text}`);
  const response = await rawRequest(target, bytes, { head: false, timeoutMs: 30_000 });
  return {
    status: response.status,
    body: response.body.length === 0 ? null : response.json(),
  };
}
