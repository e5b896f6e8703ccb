/**
 * Reads a bounded JSON body and checks its shape.
 *
 * @module
 */

import type { z } from "zod";
import { Fault } from "../fault.ts";
import { takeReceivedBody } from "../host/fetch/light_request.ts";
import { hasInfiniteNumber } from "./json_numbers.ts";

/** The most that a JSON body may hold, in bytes (`design.md` decision 20). */
export const JSON_BODY_LIMIT: number = 1024 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/**
 * Reads the request's body as JSON and parses it with a schema.
 *
 * @throws {Fault} `missing_json_content_type` (415), `request_body_rejected` (413),
 * `invalid_json` (400 for bad syntax, 422 for a wrong shape or a number that is out of range;
 * `facts/holon.md` §a.1)
 */
export async function readJson<T>(
  request: Request,
  schema: z.ZodType<T>,
  limit: number = JSON_BODY_LIMIT,
): Promise<T> {
  return parseJson(await readJsonText(request, limit), schema);
}

/** Reads the body as text after the content type and the size were checked. */
export async function readJsonText(request: Request, limit: number): Promise<string> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && !/^application\/[a-z0-9.!#$&^_-]+\+json$/.test(type)) {
    throw new Fault("missing_json_content_type", "The body has to be JSON", {
      hint: 'Send the header "Content-Type: application/json".',
    });
  }
  const bytes = await readBounded(request, limit);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Fault("invalid_json", "The body is not valid UTF-8");
  }
}

/** Parses JSON text and checks its shape. */
export function parseJson<T>(text: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Fault("invalid_json", "The body is not valid JSON", {
      context: { detail: error instanceof Error ? error.message.slice(0, 200) : "syntax error" },
    });
  }
  // It would be kept as null: as something else than was sent.
  if (hasInfiniteNumber(text, value)) {
    throw new Fault("invalid_json", "The body has a number that is out of range", {
      status: 422,
      hint: "Send numbers between -1.79e308 and 1.79e308, and larger ones as strings.",
    });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const at = issue === undefined || issue.path.length === 0 ? "the body" : issue.path.join(".");
  throw new Fault("invalid_json", `The body has the wrong shape: ${at}`, {
    status: 422,
    context: { detail: (issue?.message ?? "unknown").slice(0, 200) },
  });
}

async function readBounded(request: Request, limit: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? "0");
  if (declared > limit) throw tooLarge(limit);
  const received = takeReceivedBody(request);
  if (received !== null) {
    if (received.byteLength > limit) throw tooLarge(limit);
    return received;
  }
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      if (size > limit) throw tooLarge(limit);
      chunks.push(value);
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    if (error instanceof Fault) throw error;
    throw new Fault("request_body_rejected", "The body could not be read to its end", {
      status: 400,
      cause: error,
    });
  }
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

function tooLarge(limit: number): Fault {
  return new Fault("request_body_rejected", `The body is larger than ${limit} bytes`, {
    hint: "Send less, or put the data into a file of the app.",
  });
}
