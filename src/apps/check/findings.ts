/**
 * What a check of an app finds.
 *
 * @module
 */

/** What is wrong, for programs. */
export type FindingCode =
  | "absolute_link"
  | "app_id"
  | "bare_import"
  | "case_mismatch"
  | "classic_import"
  | "compressed_download"
  | "entry"
  | "external"
  | "fallback_base"
  | "folder_link"
  | "hidden"
  | "isolation"
  | "leaves_app"
  | "malformed_link"
  | "manifest"
  | "missing_file"
  | "not_served"
  | "policy"
  | "sdk_name"
  | "sidecar_broken"
  | "sidecar_stale"
  | "strict_type"
  | "too_large"
  | "wrong_type";

/** How much a finding matters. */
export type Severity = "error" | "note" | "warning";

/** One thing that was found. */
export interface AppFinding {
  /**
   * `error`: the app, or what a page needs, is refused or not there; `warning`: it breaks for some,
   * or later; `note`: good to know.
   */
  readonly severity: Severity;
  readonly code: FindingCode;
  /** Path below the app's root; `null` when it is about the app as a whole. */
  readonly path: string | null;
  /** The line in the file, from 1; `null` when it is about the file as a whole. */
  readonly line: number | null;
  readonly message: string;
}

/** Adds a finding about one place. */
export type Tell = (severity: Severity, code: FindingCode, message: string) => void;

/** More is not told. */
const MAX_FINDINGS = 1000;

/** Collects findings, each once. */
export class Findings {
  /** Whether something was left out. */
  truncated = false;
  readonly #found = new Map<string, AppFinding>();

  add(
    severity: Severity,
    code: FindingCode,
    path: string | null,
    message: string,
    line: number | null = null,
  ): void {
    const key = JSON.stringify([path, line, message]);
    if (this.#found.has(key)) return;
    if (this.#found.size < MAX_FINDINGS) {
      this.#found.set(key, { severity, code, path, line, message });
    } else this.truncated = true;
  }

  /** By path and line; what is about the whole comes first. */
  sorted(): readonly AppFinding[] {
    return [...this.#found.values()].sort((one, other) =>
      compare(one.path ?? "", other.path ?? "") || (one.line ?? 0) - (other.line ?? 0)
    );
  }
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
