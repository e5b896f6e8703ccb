/**
 * Sends a response in the way that suits its body.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { buffers, PIECE_BYTES } from "../buffer_pool.ts";
import { bytesOfResponse } from "../fetch/light_response.ts";
import { takeFileBody } from "../file_body.ts";
import type { FileBody } from "../types.ts";
import { type Exchange, gone, type SendResult } from "./exchange.ts";
import { sendFile } from "./file_sender.ts";
import {
  declaredLength,
  formatResponseHead,
  httpDate,
  isBodiless,
  type ResponseFraming,
} from "./response_head.ts";
import { sendStream } from "./stream_sender.ts";

/**
 * Sends a response and says how that ended. However it ends, the response's file and stream are
 * given back.
 *
 * @throws when nothing was sent yet, so that an error can be answered instead
 */
export async function writeResponse(response: Response, exchange: Exchange): Promise<SendResult> {
  const file = takeFileBody(response);
  if (response.status === 205) {
    release(response, file, exchange.onError);
    return await sendHead(response, { kind: "length", length: 0 }, exchange);
  }
  if (isBodiless(exchange.method, response.status)) {
    release(response, file, exchange.onError);
    const length = response.status === 204 ? null : declaredLength(response);
    return await sendHead(response, { kind: "bodiless", length }, exchange);
  }
  if (file !== undefined) {
    try {
      const framing = { kind: "length", length: file.end - file.start } as const;
      return await sendFile(formatHead(response, framing, exchange), file, exchange);
    } finally {
      file.finish();
    }
  }
  const bytes = bytesOfResponse(response);
  if (bytes !== null) return await sendBytes(response, bytes, exchange);
  if (response.body !== null) return await sendStream(response, response.body, exchange);
  const length = declaredLength(response) ?? 0;
  const result = await sendHead(response, { kind: "length", length }, exchange);
  if (length === 0 || result.outcome !== "finished") return result;
  exchange.onError(new Error("A response promised a body and had none"));
  exchange.wire.destroy();
  return { outcome: "failed", reusable: false };
}

/** Gives back what a response holds that is not sent. */
export function discardResponse(response: Response, onError: (error: unknown) => void): void {
  release(response, takeFileBody(response), onError);
}

function release(
  response: Response,
  file: FileBody | undefined,
  onError: (error: unknown) => void,
): void {
  file?.finish();
  if (bytesOfResponse(response) !== null) return;
  if (response.body !== null && !response.body.locked) response.body.cancel().catch(onError);
}

function formatHead(response: Response, framing: ResponseFraming, exchange: Exchange): string {
  const date = httpDate(exchange.clock.now());
  return formatResponseHead(response, framing, !exchange.keepAlive(), date);
}

/** Head and bytes in one write. */
async function sendBytes(
  response: Response,
  bytes: Uint8Array,
  exchange: Exchange,
): Promise<SendResult> {
  const framing = { kind: "length", length: bytes.byteLength } as const;
  const head = formatHead(response, framing, exchange);
  const length = head.length + bytes.byteLength;
  const buffer = length <= PIECE_BYTES ? buffers.take(length) : Buffer.allocUnsafeSlow(length);
  buffer.write(head, 0, "latin1");
  buffer.set(bytes, head.length);
  const sent = await exchange.wire.send(buffer.subarray(0, length));
  if (length <= PIECE_BYTES) buffers.give(buffer, sent);
  return sent ? { outcome: "finished", reusable: true } : gone(exchange.wire);
}

async function sendHead(
  response: Response,
  framing: ResponseFraming,
  exchange: Exchange,
): Promise<SendResult> {
  const head = Buffer.from(formatHead(response, framing, exchange), "latin1");
  const sent = await exchange.wire.send(head);
  return sent ? { outcome: "finished", reusable: true } : gone(exchange.wire);
}
