/**
 * What came of a message that wrote nothing.
 *
 * @module
 */

import type { MessageResult } from "./types.ts";

/** A result without output. */
export function noOutput(error: string | null): MessageResult {
  return { exitCode: null, error, stdout: "", stderr: "", truncated: false };
}
