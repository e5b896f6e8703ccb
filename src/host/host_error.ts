/**
 * Turns what the runtimes throw into {@linkcode HostError}.
 *
 * @module
 */

import { HostError, type HostErrorCode } from "./types.ts";

const CODES: Readonly<Record<string, HostErrorCode>> = {
  EACCES: "denied",
  EADDRINUSE: "address_in_use",
  EDQUOT: "no_space",
  EEXIST: "already_exists",
  EFBIG: "no_space",
  EINVAL: "invalid_path",
  EISDIR: "is_a_directory",
  ELOOP: "loop",
  EMFILE: "too_many_open_files",
  ENAMETOOLONG: "invalid_path",
  ENFILE: "too_many_open_files",
  ENOENT: "not_found",
  ENOSPC: "no_space",
  ENOTDIR: "not_a_directory",
  ENOTEMPTY: "already_exists",
  ENXIO: "not_found",
  EPERM: "denied",
  EROFS: "read_only",
  ERR_ACCESS_DENIED: "denied",
  ERR_INVALID_ARG_VALUE: "invalid_path",
};

/**
 * The host error for something caught; unknown ones become `io`.
 *
 * @param doing what was tried, as the beginning of a sentence, e.g. `"Reading /a/b"`
 */
export function hostError(error: unknown, doing: string): HostError {
  if (error instanceof HostError) return error;
  const code = hostErrorCode(error);
  const detail = error instanceof Error ? error.message : String(error);
  return new HostError(code, `${doing} failed: ${detail}`, error);
}

/** The code of the host error for something caught. */
export function hostErrorCode(error: unknown): HostErrorCode {
  if (error instanceof HostError) return error.code;
  if (!(error instanceof Error)) return "io";
  // Deno throws this, without an errno, for what its permissions don't allow.
  if (error.name === "NotCapable" || error.name === "PermissionDenied") return "denied";
  const code = "code" in error ? String(error.code) : "";
  return CODES[code] ?? "io";
}
