/**
 * Words that a shell offers for an argument. Parsers are made once and may not wait, so what is to
 * be looked up is gathered before a completion is asked for (`completion.ts`).
 *
 * @module
 */

import type { NonEmptyString } from "@optique/core/nonempty";
import { string, type ValueParser } from "@optique/core/valueparser";

/** What there is to offer. */
export interface Candidates {
  readonly agents: readonly string[];
  /** `AGENT/APP`, and ids alone of the default agent. */
  readonly apps: readonly string[];
  readonly profiles: readonly string[];
  readonly settings: readonly string[];
  /** Of the setting that the command line names. */
  readonly values: readonly string[];
}

let current: Candidates = { agents: [], apps: [], profiles: [], settings: [], values: [] };

/** Sets what is offered from now on. */
export function setCandidates(candidates: Candidates): void {
  current = candidates;
}

/** A text that the shell completes with names of a kind. */
export function named(
  metavar: NonEmptyString,
  kind: keyof Candidates,
): ValueParser<"sync", string> {
  return {
    ...string({ metavar }),
    *suggest(prefix) {
      for (const text of current[kind]) {
        if (text.startsWith(prefix)) yield { kind: "literal", text };
      }
    },
  };
}

/** A text that the shell completes with files or folders, and with names where there is a kind. */
export function pathText(
  metavar: NonEmptyString,
  type: "directory" | "file",
  kind?: keyof Candidates,
): ValueParser<"sync", string> {
  return {
    ...string({ metavar }),
    *suggest(prefix) {
      if (kind !== undefined) {
        for (const text of current[kind]) {
          if (text.startsWith(prefix)) yield { kind: "literal", text };
        }
      }
      yield { kind: "file", type, pattern: prefix };
    },
  };
}
