/**
 * The body of `POST …/request` (`facts/holon.md` §a.3).
 *
 * @module
 */

import { z } from "zod";
import { Fault } from "../fault.ts";
import { isSegment } from "../identifiers.ts";

/** The version of the SDK's protocol. */
export const SDK_VERSION = "1";

/** How deep a payload may be nested: far below what overflows a stack when it is written again. */
const MAX_DEPTH = 512;

/** The most characters of a request id of the app's own; it is stored with each event. */
const MAX_REQUEST_ID = 1024;

/** The body's shape; unknown fields are refused. */
export const appRequestSchema: z.ZodType<AppRequest> = z.strictObject({
  version: z.string().describe("Has to be 1."),
  request_type: z.string().describe("Up to 128 letters, digits, hyphens, underscores and dots."),
  payload: z.unknown().refine((value) => value !== undefined, "Required: null where there is none"),
  request_id: z.string().nullish().describe("An id of the app's own."),
}).meta({ examples: [{ version: "1", request_type: "ping", payload: { at: 1 } }] }) as z.ZodType<
  AppRequest
>;

/** A body of the right shape. */
export interface AppRequest {
  readonly version: string;
  readonly request_type: string;
  readonly payload: unknown;
  readonly request_id?: string | null | undefined;
}

/**
 * Checks what the shape can't say.
 *
 * @throws {Fault} `bad_request`
 */
export function checkAppRequest(request: AppRequest): void {
  if (request.version !== SDK_VERSION) {
    throw new Fault("bad_request", `The version has to be "${SDK_VERSION}"`);
  }
  if (!isSegment(request.request_type)) {
    throw new Fault(
      "bad_request",
      'The request_type is not valid: use 1 to 128 letters, digits, "-", "_" and "."',
    );
  }
  if ((request.request_id?.length ?? 0) > MAX_REQUEST_ID) {
    throw new Fault("bad_request", `The request_id is longer than ${MAX_REQUEST_ID} characters`);
  }
  if (!isShallow(request.payload)) {
    throw new Fault("bad_request", `The payload is nested deeper than ${MAX_DEPTH} levels`);
  }
}

/**
 * Returns the `Idempotency-Key`, or `null` where there is none.
 *
 * @throws {Fault} `bad_request` for one that is empty, too long or not printable ASCII
 */
export function idempotencyKeyOf(headers: Headers): string | null {
  const key = headers.get("idempotency-key");
  if (key === null || /^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new Fault("bad_request", "The Idempotency-Key has to be 1 to 255 printable characters");
}

/** Level by level, without recursion: the payload may be hostile. */
function isShallow(payload: unknown): boolean {
  let level: unknown[] = [payload];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== "object" || value === null) continue;
      for (const child of Object.values(value)) next.push(child);
    }
    level = next;
  }
  return true;
}
