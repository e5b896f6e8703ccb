/**
 * What is sent to `/api/agents`: bodies and queries with their schemas.
 *
 * @module
 */

import { z } from "zod";
import type { MessageStatus } from "./types.ts";

const leaseSeconds = z.number().min(1).max(3600).default(60)
  .describe("How long the lease lasts from now, in seconds.");
const leaseId = z.string().min(1).max(128).describe("The `lease_id` that the claim gave.");

/** Operator input: a text, or any JSON value. */
export interface PostMessageBody {
  readonly text?: string | undefined;
  readonly payload?: unknown;
  readonly request_type?: string | null | undefined;
  readonly request_id?: string | null | undefined;
}

/** Shape of {@linkcode PostMessageBody}. */
export const postMessageSchema: z.ZodType<PostMessageBody> = z.strictObject({
  text: z.string().optional().describe('Short for the payload `{ "text": … }`.'),
  payload: z.unknown().optional().describe("Any JSON value; null counts."),
  request_type: z.string().nullish(),
  request_id: z.string().nullish(),
}).refine(
  ({ text, payload }) => (text === undefined) !== (payload === undefined),
  "Either `text` or `payload` is required, not both",
).meta({ examples: [{ text: "Hello" }] });

/** An agent to make. */
export interface CreateAgentBody {
  readonly id: string;
}

/** Body of `POST /api/agents`. */
export const createAgentSchema: z.ZodType<CreateAgentBody> = z.strictObject({
  id: z.string().describe("1 to 128 letters, digits, dots, hyphens and underscores; no dot first."),
}).meta({ examples: [{ id: "researcher" }] });

/** A worker's claim. */
export interface ClaimBody {
  readonly lease_s: number;
  readonly limit: number;
  readonly worker?: string | null | undefined;
}

/** Shape of {@linkcode ClaimBody}. */
export const claimSchema: z.ZodType<ClaimBody> = z.strictObject({
  lease_s: leaseSeconds,
  limit: z.int().min(1).max(100).default(1).describe("The most messages to take."),
  worker: z.string().max(128).nullish().describe("The worker's name for itself."),
}).meta({ examples: [{ lease_s: 60, limit: 1 }] });

/** A longer lease. */
export interface ExtendBody {
  readonly lease_id: string;
  readonly lease_s: number;
}

/** Shape of {@linkcode ExtendBody}. */
export const extendSchema: z.ZodType<ExtendBody> = z.strictObject({
  lease_id: leaseId,
  lease_s: leaseSeconds,
}).meta({ examples: [{ lease_id: "LEASE", lease_s: 60 }] });

/** Success, with any JSON value as output. */
export interface AckBody {
  readonly lease_id: string;
  readonly output?: unknown;
}

/** Shape of {@linkcode AckBody}. */
export const ackSchema: z.ZodType<AckBody> = z.strictObject({
  lease_id: leaseId,
  output: z.unknown().optional().describe("Any JSON value."),
}).meta({ examples: [{ lease_id: "LEASE", output: { done: true } }] });

/** Failure. */
export interface FailBody extends AckBody {
  readonly error?: string | null | undefined;
  readonly retry: boolean;
}

/** Shape of {@linkcode FailBody}. */
export const failSchema: z.ZodType<FailBody> = z.strictObject({
  lease_id: leaseId,
  error: z.string().max(4096).nullish().describe("What went wrong, as a sentence."),
  output: z.unknown().optional().describe("Any JSON value."),
  retry: z.boolean().default(false).describe("Deliver again while attempts are left."),
}).meta({ examples: [{ lease_id: "LEASE", error: "It did not work.", retry: true }] });

/** Which messages to list. */
export interface ListQuery {
  readonly status?: MessageStatus | undefined;
  readonly limit: number;
  readonly before?: string | undefined;
}

/** Shape of {@linkcode ListQuery}. */
export const listQuerySchema: z.ZodType<ListQuery> = z.object({
  status: z.enum(["cancelled", "failed", "processing", "queued", "succeeded"]).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  before: z.string().max(128).optional().describe("The last id of the page before."),
});
