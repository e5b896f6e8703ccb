/**
 * What `holon doctor` finds.
 *
 * @module
 */

/** How much a finding matters: only an error makes the command fail. */
export type FindingLevel = "error" | "note" | "ok" | "warning";

/** One finding. */
export interface Finding {
  /** What was looked at, e.g. `home`. */
  readonly check: string;
  readonly level: FindingLevel;
  /** One sentence. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** Makes a finding. */
export function finding(
  check: string,
  level: FindingLevel,
  message: string,
  hint?: string,
): Finding {
  return { check, level, message, ...(hint === undefined ? {} : { hint }) };
}
