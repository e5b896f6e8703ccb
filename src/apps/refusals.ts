/**
 * Codes that the routes below `/apps` refuse with, and what their files are sent by: for the API
 * reference.
 *
 * @module
 */

import type { FaultCode } from "../fault.ts";

/** Of every route of an app, since each finds it first. */
export const APP_REFUSALS: readonly FaultCode[] = [
  "app_host_error",
  "invalid_app_manifest",
  "service_unavailable",
];

/** Of putting a message into the queue. */
export const ENQUEUE_REFUSALS: readonly FaultCode[] = [
  "agent_queue_full",
  "app_queue_full",
  "idempotency_conflict",
  "storage_full",
  "storage_unavailable",
];

/** What routes that send files have in common. */
export interface AssetReference {
  readonly produces: string;
  readonly statuses: Readonly<Record<number, string>>;
  readonly requestHeaders: readonly string[];
  readonly responseHeaders: readonly string[];
  readonly refusals: readonly FaultCode[];
}

/** What there is to say of every route that sends files. */
export const ASSET_REFERENCE: AssetReference = {
  produces: "*/*",
  statuses: {
    200: "The whole file.",
    206: "The range that was asked for.",
    304: "The client's copy is the current one.",
    416: "The range lies outside of the file.",
  },
  requestHeaders: [
    "Accept-Encoding",
    "If-Match",
    "If-Modified-Since",
    "If-None-Match",
    "If-Range",
    "If-Unmodified-Since",
    "Range",
  ],
  responseHeaders: [
    "Accept-Ranges",
    "Content-Encoding",
    "Content-Range",
    "ETag",
    "Last-Modified",
    "Vary",
  ],
  refusals: [
    ...APP_REFUSALS,
    "app_asset_busy",
    "app_asset_too_large",
    "precondition_failed",
    "unsupported_app_asset_type",
  ],
};
