/**
 * Writes to stderr without holding up other work.
 *
 * The streams that the runtimes give block where stderr is a file or, on Deno, a pipe whose reader
 * has stopped; and what they queue has no bound.
 *
 * @module
 */

import { write } from "node:fs";

/** Writes a first part of the bytes and gives its length. */
export type WriteOutput = (bytes: Uint8Array) => Promise<number>;

const STDERR = 2;

/** How long to wait for a full pipe to be read, in ms. */
const FULL_PIPE_MS = 25;

/**
 * Writes all bytes to stderr. A pipe that is full is waited for, without an end.
 *
 * @param writePart how the runtime does it; by default `node:fs`, in a thread
 * @throws the system's error where stderr is closed or its disk is full
 */
export async function writeStderr(
  bytes: Uint8Array,
  writePart: WriteOutput = writeByThread,
): Promise<void> {
  let rest = bytes;
  while (rest.byteLength > 0) {
    try {
      rest = rest.subarray(await writePart(rest));
    } catch (error) {
      if (!isFullPipe(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, FULL_PIPE_MS));
    }
  }
}

function writeByThread(bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) =>
    write(
      STDERR,
      bytes,
      0,
      bytes.byteLength,
      null,
      (error, count) => error ? reject(error) : resolve(count),
    )
  );
}

/** Another process may have made the pipe non-blocking for all that write to it. */
function isFullPipe(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "EAGAIN") || error.name === "WouldBlock";
}
