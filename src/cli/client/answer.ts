/**
 * The JSON answer of a server, read with a limit of time and size; what is none is a sentence.
 *
 * @module
 */

import type { IncomingMessage } from "node:http";
import { CliFailure } from "../failure.ts";
import { printable } from "../output.ts";
import { type Exchange, interrupted, seconds } from "./exchange.ts";
import { type ClientAnswer, ServerRefusal } from "./types.ts";

/** The largest JSON answer, in bytes. */
export const MAX_ANSWER: number = 16 * 1024 * 1024;

/** How to read it. */
export interface ReadOptions {
  /** How sentences name the server. */
  readonly name: string;
  /** How long the rest may take, in ms; `totalMs` is what the person was promised. */
  readonly remainingMs: number;
  readonly totalMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads an answer whole and parses it.
 *
 * @throws {CliFailure} for a redirect and for everything that Holon would not answer
 */
export async function readAnswer(exchange: Exchange, options: ReadOptions): Promise<ClientAnswer> {
  const { incoming, abort } = exchange;
  const { name } = options;
  const status = incoming.statusCode ?? 0;
  try {
    refuseRedirect(incoming, name);
    const bytes = await readBody(exchange, options);
    if (status === 204 && bytes.byteLength === 0) return { status, json: undefined };
    const type = mediaType(incoming);
    if (type !== "application/json") {
      throw notHolon(name, `answered ${status} with ${type === "" ? "no type" : type}`);
    }
    return { status, json: parse(bytes, name) };
  } catch (error) {
    abort(error as Error);
    throw error;
  }
}

/** A redirect is never followed: the token belongs to the address that was given. */
export function refuseRedirect(incoming: IncomingMessage, name: string): void {
  const status = incoming.statusCode ?? 0;
  if (status < 300 || status > 399) return;
  const location = printable(String(incoming.headers.location ?? "")).slice(0, 200);
  const where = location === "" ? "elsewhere" : `to ${location}`;
  throw new CliFailure(`${name} sends on ${where} (${status}); the token was not sent there`, {
    hint: "If that is your server, give its address itself with --connect.",
  });
}

/** The media type of an answer without its parameters, in lower case. */
export function mediaType(incoming: IncomingMessage): string {
  const [type = ""] = String(incoming.headers["content-type"] ?? "").split(";");
  return printable(type.trim().toLowerCase()).slice(0, 80);
}

/** The body of a successful answer; a refusal becomes a failure with its sentence. */
export function requireOk({ status, json }: ClientAnswer): Record<string, unknown> {
  const body = typeof json === "object" && json !== null && !Array.isArray(json)
    ? json as Record<string, unknown>
    : null;
  if (status >= 200 && status < 300) {
    if (body !== null) return body;
    if (json === undefined) return {};
  }
  if (typeof body?.error !== "string") throw notHolon("the server", `answered ${status}`);
  throw new ServerRefusal(printable(body.error), {
    status,
    code: typeof body.code === "string" ? body.code : "",
    ...(typeof body.hint === "string" ? { hint: printable(body.hint) } : {}),
  });
}

/** For an answer that is none of Holon's. */
export function notHolon(name: string, what: string): CliFailure {
  return new CliFailure(`${name} ${what}, not as Holon does`, {
    hint: "Is that the address of a Holon server, and is nothing between?",
  });
}

// --- internal ---

/** Reads a body to its end within time and size. */
async function readBody({ incoming, abort }: Exchange, options: ReadOptions): Promise<Buffer> {
  const { name, remainingMs, totalMs, signal } = options;
  const tooLarge = (): CliFailure => new CliFailure(`${name} answered with more than 16 MiB`);
  if (Number(incoming.headers["content-length"]) > MAX_ANSWER) throw tooLarge();
  let failure: Error | null = null;
  const fail = (error: Error): void => {
    failure ??= error;
    abort(failure);
  };
  const timer = setTimeout(() => {
    fail(
      new CliFailure(`${name} did not finish its answer within ${seconds(totalMs)}`, {
        hint: "It may be overloaded, or the network slow: wait longer with --timeout.",
      }),
    );
  }, Math.max(0, remainingMs));
  const interrupt = (): void => fail(interrupted());
  signal?.addEventListener("abort", interrupt, { once: true });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.byteLength;
      if (size > MAX_ANSWER) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (failure !== null) throw failure;
    if (error instanceof CliFailure) throw error;
    throw new CliFailure(`${name} broke off its answer`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", interrupt);
  }
  if (failure !== null) throw failure;
  if (!incoming.complete) throw new CliFailure(`${name} broke off its answer`);
  return Buffer.concat(chunks);
}

function parse(bytes: Buffer, name: string): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new CliFailure(`${name} answered with JSON that is not valid`, {
      hint: "Is that the address of a Holon server, and is nothing between?",
      cause,
    });
  }
}
