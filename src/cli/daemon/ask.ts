/**
 * Asks whatever listens at a socket or an address, and tells apart who does not answer.
 *
 * @module
 */

import { request, type RequestOptions } from "node:http";

/** Where to ask. */
export type AskTarget = { readonly socketPath: string } | { readonly origin: string };

/** What came of it. */
export type Asked =
  /** Nothing listens there. */
  | { readonly kind: "absent" }
  /** Something listens, and says nothing in time. */
  | { readonly kind: "silent" }
  /** Something listens that speaks no HTTP, or that this user may not reach. */
  | { readonly kind: "other"; readonly denied: boolean }
  /** @param json the body; `null` where it is no JSON */
  | { readonly kind: "answer"; readonly status: number; readonly json: unknown };

const MAX_ANSWER = 1024 * 1024;

/** Sends one request without a body. Never rejects, and ends in time. */
export function ask(
  target: AskTarget,
  method: "GET" | "POST",
  path: string,
  options: { readonly timeoutMs: number; readonly token?: string | undefined },
): Promise<Asked> {
  return new Promise((resolve) => {
    const settle = (asked: Asked): void => {
      clearTimeout(timer);
      outgoing.destroy();
      resolve(asked);
    };
    const outgoing = request(requestOptions(target, method, path, options.token), (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        if (text.length > MAX_ANSWER) settle({ kind: "other", denied: false });
      });
      incoming.on("error", () => settle({ kind: "other", denied: false }));
      incoming.on("aborted", () => settle({ kind: "other", denied: false }));
      incoming.on(
        "end",
        () => settle({ kind: "answer", status: incoming.statusCode ?? 0, json: parse(text) }),
      );
    });
    const timer = setTimeout(() => settle({ kind: "silent" }), options.timeoutMs);
    outgoing.on("error", (error) => settle(failureKind(error)));
    outgoing.end();
  });
}

// --- internal ---

const ABSENT = ["ECONNREFUSED", "ENOENT", "ENOTDIR", "ENOTSOCK", "ENXIO"];

function failureKind(error: Error): Asked {
  const code = "code" in error ? String(error.code) : "";
  if (ABSENT.includes(code)) return { kind: "absent" };
  return { kind: "other", denied: code === "EACCES" || code === "EPERM" };
}

function requestOptions(
  target: AskTarget,
  method: string,
  path: string,
  token: string | undefined,
): RequestOptions {
  const headers = {
    accept: "application/json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  if ("socketPath" in target) {
    const { socketPath } = target;
    return { agent: false, socketPath, method, path, headers: { ...headers, host: "localhost" } };
  }
  const { hostname, port } = new URL(target.origin);
  return { agent: false, hostname: hostname.replace(/^\[|\]$/g, ""), port, method, path, headers };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
