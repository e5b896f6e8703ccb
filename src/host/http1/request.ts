/**
 * Makes the `Request` that a handler is given.
 *
 * @module
 */

import { lightRequest } from "../fetch/light_request.ts";
import type { RequestBody } from "./request_body.ts";
import type { RequestHead } from "./request_head.ts";

/**
 * Makes a `Request` from a checked head. Its URL is for code that wants one; Holon itself goes by
 * the raw target. A body of GET and HEAD, which fetch has no place for, is left out.
 *
 * @param signal gives what aborts when the client is gone; most handlers never ask
 */
export function makeRequest(
  head: RequestHead,
  body: RequestBody,
  signal: () => AbortSignal,
): Request {
  const { method, fields } = head;
  const hasBody = !body.complete || head.framing.kind !== "none";
  const takesBody = hasBody && method !== "GET" && method !== "HEAD";
  if (hasBody && !takesBody) body.discard();
  const genuine = () => genuineRequest(head, takesBody ? body : null, signal);
  const takeBody = () => body.takeWhole();
  return lightRequest({ method, fields, signal, genuine, takeBody });
}

function genuineRequest(
  head: RequestHead,
  body: RequestBody | null,
  signal: () => AbortSignal,
): Request {
  const { method } = head;
  const path = head.path === "*" ? "/*" : head.path;
  const url = `http://${head.host ?? "localhost"}${path}`;
  const init: RequestInit & { duplex?: "half" } = { method, headers: [...head.headers] };
  if (body !== null) {
    init.body = body.stream();
    init.duplex = "half";
  }
  const request = new Request(url, init);
  // Passing the signal to the constructor makes a second one that follows it, at five times the
  // price of the whole request on Node.
  Object.defineProperty(request, "signal", { get: signal });
  // Bun turns a method that it doesn't know into GET.
  if (request.method !== method) Object.defineProperty(request, "method", { value: method });
  return request;
}
