/**
 * HTTP to the running server over its Unix socket, bounded in time and size.
 *
 * @module
 */

import { request as httpRequest } from "node:http";
import { CliFailure } from "./failure.ts";

const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 16 * 1024 * 1024;

/** One request. */
export interface ClientRequest {
  readonly socket: string;
  readonly method: "GET" | "PATCH" | "POST";
  /** Path and query, percent-encoded. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly timeoutMs?: number;
}

/** What came back. */
export interface ClientAnswer {
  readonly status: number;
  /** The parsed body; `undefined` when it is no JSON. */
  readonly json: unknown;
}

/** The socket has no server behind it: it is missing, or nothing listens on it. */
export class ServerAbsent extends Error {
  override readonly name = "ServerAbsent";
}

/**
 * Sends one request over the socket.
 *
 * @throws {ServerAbsent} when nothing listens there
 * @throws {CliFailure} for every other failure, as a sentence
 */
export function sendRequest(request: ClientRequest): Promise<ClientAnswer> {
  const body = request.body === undefined ? null : Buffer.from(JSON.stringify(request.body));
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      socketPath: request.socket,
      path: request.path,
      method: request.method,
      agent: false,
      headers: {
        host: "localhost",
        accept: "application/json",
        ...(body === null ? {} : {
          "content-type": "application/json",
          "content-length": String(body.byteLength),
        }),
      },
    }, (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on("data", (chunk: Buffer) => {
        size += chunk.byteLength;
        if (size > MAX_ANSWER) fail(new CliFailure("the server's answer is larger than 16 MiB"));
        else chunks.push(chunk);
      });
      incoming.on("error", (error) => fail(brokenAnswer(error)));
      incoming.on("aborted", () => fail(brokenAnswer(null)));
      incoming.on("end", () => {
        clearTimeout(timer);
        resolve({ status: incoming.statusCode ?? 0, json: parse(Buffer.concat(chunks)) });
      });
    });
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
      outgoing.destroy();
    };
    const timer = setTimeout(() => {
      fail(
        new CliFailure("the server did not answer in time", {
          hint: "It may be overloaded or stopped; try again, or start it anew.",
        }),
      );
    }, request.timeoutMs ?? TIMEOUT_MS);
    outgoing.on("error", (error) => fail(connectFailure(error, request.socket)));
    if (body !== null) outgoing.write(body);
    outgoing.end();
  });
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

function connectFailure(error: Error, socket: string): Error {
  const code = (error as { code?: string }).code;
  if (code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR") {
    return new ServerAbsent("no server runs on this home", { cause: error });
  }
  if (code === "EACCES" || code === "EPERM") {
    return new CliFailure(`the socket ${socket} belongs to someone else`, {
      hint: "Run the command as the user who runs the server.",
      cause: error,
    });
  }
  return new CliFailure(`the server can't be reached over ${socket}: ${code ?? error.message}`, {
    cause: error,
  });
}

function brokenAnswer(cause: unknown): CliFailure {
  return new CliFailure("the server broke off its answer", { cause });
}
