/**
 * The log: records become lines of a format, and lines go to a writer.
 *
 * Our own rather than a library: what it has to do is to never wait, never grow and never tell a
 * secret, and each of that would be ours to add.
 *
 * @module
 */

import type { Clock } from "../host/types.ts";
import { createLineWriter, type LineWriter, type WriteBytes } from "./line_writer.ts";
import { jsonFormat, type LineFormat, textFormat } from "./log_lines.ts";
import type { Logger } from "./types.ts";

/** How lines look. */
export type LogFormat =
  | { readonly kind: "json" }
  | { readonly kind: "off" }
  /** For a terminal: what went wrong, or `everything`. */
  | { readonly kind: "text"; readonly everything: boolean; readonly color: boolean };

/** What the log works with. */
export interface LogOptions {
  readonly format: LogFormat;
  readonly write: WriteBytes;
  readonly clock: Pick<Clock, "now">;
  /** Texts that must not appear, such as the server's token. */
  readonly secrets: readonly string[];
}

/** The log, and its end. */
export interface Log extends Logger {
  /** Resolves once all is written, or when the time is up. */
  flush(timeoutMs: number): Promise<void>;
  /** Lines that found no room. */
  readonly dropped: number;
}

/** Makes a log. With the format `off` faults of ours and sentences are still told, as text. */
export function createLog({ format, write, clock, secrets }: LogOptions): Log {
  const lines = lineFormat(format, secrets);
  const writer: LineWriter = createLineWriter({
    write,
    droppedLine: (count) =>
      lines.message({
        event: "log_dropped",
        level: "warn",
        message: `${count} lines of the log found no room`,
      }, clock.now()) ?? "",
  });
  const put = (line: string | null) => {
    if (line !== null) writer.write(line);
  };
  return {
    request: format.kind === "off" ? () => {} : (record) => put(lines.request(record, clock.now())),
    notice: (message, level = "info") =>
      put(lines.message({ event: "notice", level, message }, clock.now())),
    error(error, requestId) {
      const { message, detail } = describe(error);
      put(
        lines.message({ event: "error", level: "error", message, detail, requestId }, clock.now()),
      );
    },
    async flush(timeoutMs) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const limit = new Promise<void>((resolve) => timer = setTimeout(resolve, timeoutMs));
      await Promise.race([writer.flush(), limit]);
      clearTimeout(timer);
    },
    get dropped() {
      return writer.dropped;
    },
  };
}

// --- internal ---

function lineFormat(format: LogFormat, secrets: readonly string[]): LineFormat {
  if (format.kind === "json") return jsonFormat(secrets);
  return textFormat(secrets, format.kind === "text" ? format : { everything: false, color: false });
}

/** The most causes of an error that are told. */
const MAX_CAUSES = 4;

function describe(error: unknown): { readonly message: string; readonly detail: string } {
  try {
    const stacks: string[] = [];
    let current: unknown = error;
    for (let depth = 0; current !== undefined && depth < MAX_CAUSES; depth++) {
      stacks.push(current instanceof Error ? current.stack ?? String(current) : String(current));
      current = current instanceof Error ? current.cause : undefined;
    }
    const message = error instanceof Error ? error.message : String(error);
    return { message, detail: stacks.join("\ncaused by ") };
  } catch {
    // Whatever was thrown can't even be turned into text.
    return { message: "Something unknown was thrown", detail: "" };
  }
}
