/**
 * Failures as a person reads them: one sentence, what to do, no stack.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { HostError } from "../host/types.ts";
import { printableLines } from "./output.ts";

/** The exit codes of every command. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** A command can't do what was asked; the message may name host paths. */
export class CliFailure extends Error {
  override readonly name = "CliFailure";
  /** What the person can do about it. */
  readonly hint: string | undefined;
  readonly exitCode: number;

  constructor(
    message: string,
    options: { readonly hint?: string; readonly exitCode?: number; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? EXIT.failed;
  }
}

/** What to print for a failure, and what to exit with. */
export interface FailureReport {
  readonly text: string;
  readonly exitCode: number;
}

/** Turns whatever was thrown into a report; with `debug` the stack follows. */
export function reportFailure(error: unknown, debug: boolean): FailureReport {
  const { sentence, hint, exitCode } = explain(error);
  // Sentences name paths and arguments, in which anything may be.
  const lines = [`holon: ${printableLines(sentence)}`];
  if (hint !== undefined) lines.push(`  ${printableLines(hint)}`);
  if (debug && error instanceof Error) lines.push(fullStack(error));
  return { text: lines.join("\n") + "\n", exitCode };
}

/** What is wrong with a file or a directory, as the end of a sentence. */
export function hostErrorWords(error: HostError): string {
  return HOST_WORDS[error.code] ?? `the system refused it (${error.code})`;
}

const HOST_WORDS: Partial<Record<HostError["code"], string>> = {
  already_exists: "it exists already",
  denied: "permissions refuse it",
  is_a_directory: "it is a directory",
  loop: "its links lead in a circle",
  no_space: "the disk is full",
  not_a_directory: "a part of the path is not a directory",
  not_found: "it does not exist",
  read_only: "the disk is read-only",
  too_large: "it is too large",
  too_many_open_files: "too many files are open",
};

interface Explanation {
  readonly sentence: string;
  readonly hint: string | undefined;
  readonly exitCode: number;
}

function explain(error: unknown): Explanation {
  if (error instanceof CliFailure) {
    return { sentence: error.message, hint: error.hint, exitCode: error.exitCode };
  }
  if (error instanceof Fault) {
    return { sentence: error.message, hint: error.hint, exitCode: EXIT.failed };
  }
  if (error instanceof Error && error.name === "HomeError") {
    // By name: `cli/` imports nothing of the store but the lock.
    const why = causeWords(error.cause);
    const sentence = why === null || error.message.includes(why)
      ? error.message
      : `${error.message} (${why})`;
    return { sentence, hint: undefined, exitCode: EXIT.failed };
  }
  if (error instanceof HostError) {
    return {
      sentence: `a file could not be used: ${hostErrorWords(error)} (${error.message})`,
      hint: undefined,
      exitCode: EXIT.failed,
    };
  }
  return {
    sentence: `something went wrong inside: ${error instanceof Error ? error.message : error}`,
    hint: "Set HOLON_DEBUG=1 and run it again to see where.",
    exitCode: EXIT.failed,
  };
}

/** A full or a read-only disk behind a failure; `null` for other causes. */
function causeWords(cause: unknown): string | null {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  // SQLite's own words; its code says no more than that it was SQLite.
  if (cause instanceof Error && cause.message.includes("disk is full")) return "the disk is full";
  switch (code) {
    case "ENOSPC":
    case "no_space":
      return "the disk is full";
    case "EROFS":
    case "read_only":
      return "the disk is read-only";
    default:
      return null;
  }
}

function fullStack(error: Error): string {
  const own = error.stack ?? String(error);
  return error.cause instanceof Error ? `${own}\ncaused by ${fullStack(error.cause)}` : own;
}
