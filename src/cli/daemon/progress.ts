/**
 * Says on stderr what is being waited for.
 *
 * @module
 */

import type { CommonOptions } from "../command.ts";
import type { CliIo } from "../io.ts";

/** Tells of waiting. */
export interface Progress {
  /** Says at once that a step has begun. */
  step(sentence: string): void;
  /** Says what is waited for, once that has taken a while, and from time to time. */
  waiting(what: string): void;
  /** Ends the line that is being rewritten. */
  end(): void;
}

/** Waiting that is shorter is not worth a word, in ms. */
const QUIET_MS = 1_500;
/** Between two lines where nothing can be rewritten, in ms. */
const EVERY_MS = 10_000;

/** Progress for a person at a terminal, in one line, or for a log, in few; none with `--quiet`. */
export function createProgress(io: CliIo, { quiet }: Pick<CommonOptions, "quiet">): Progress {
  if (quiet) return { step() {}, waiting() {}, end() {} };
  const { clock } = io.host;
  const begun = clock.monotonic();
  const rewrites = io.terminal.stderr && io.env.TERM !== "dumb";
  let last = begun + QUIET_MS - EVERY_MS;
  let isOpen = false;
  const end = (): void => {
    if (isOpen) io.err("\r\u001b[K");
    isOpen = false;
  };
  return {
    step(sentence) {
      end();
      io.err(`holon: ${sentence}\n`);
    },
    waiting(what) {
      const now = clock.monotonic();
      if (now - begun < QUIET_MS) return;
      const seconds = Math.floor((now - begun) / 1000);
      if (rewrites) {
        io.err(`\r\u001b[Kholon: waiting for ${what} (${seconds} s)`);
        isOpen = true;
      } else if (now - last >= EVERY_MS) {
        io.err(`holon: waiting for ${what} (${seconds} s)\n`);
        last = now;
      }
    },
    end,
  };
}
