/**
 * Parses a raw request target once, tolerantly: never through `URL`, whose treatment of `..`,
 * backslashes and absolute forms differs from what confinement needs (`facts/runtimes.md` §D).
 *
 * @module
 */

import { Fault } from "../fault.ts";

/** A request target taken apart. */
export interface Target {
  /** The path as sent, without scheme, authority, query and fragment; begins with `/`. */
  readonly rawPath: string;
  /** The raw query without `?`; empty when there is none. */
  readonly rawQuery: string;
  /** Raw path segments split at `/`, without the empty one before the first slash. */
  readonly segments: readonly string[];
}

/** A path, nothing but a path, and no segment of it begins with a dot. */
const PLAIN = /^(?:\/(?!\.)[\w.~!$&'()*+,;=:@-]*)+$/;
/** What means itself: no escapes, and no segment begins with a dot. */
const SIMPLE = /^\/?(?:(?!\.)[\w.~-]*\/)*(?!\.)[\w.~-]*$/;

/**
 * Splits a target in origin form, absolute form or asterisk form. Segments that are `.` vanish, as
 * RFC 3986 §5.2.4 has it; `..` stays, for the decoder to refuse.
 *
 * @throws {Fault} `bad_request` when it is none of those forms
 */
export function parseTarget(target: string): Target {
  if (PLAIN.test(target)) {
    return { rawPath: target, rawQuery: "", segments: target.slice(1).split("/") };
  }
  let path = target;
  const absolute = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/.exec(path);
  if (absolute !== null) path = path.slice(absolute[0].length);
  const fragment = path.indexOf("#");
  if (fragment >= 0) path = path.slice(0, fragment);
  const question = path.indexOf("?");
  const rawQuery = question < 0 ? "" : path.slice(question + 1);
  if (question >= 0) path = path.slice(0, question);
  if (path === "" && absolute !== null) path = "/";
  if (path === "*") return { rawPath: "*", rawQuery, segments: [] };
  if (!path.startsWith("/")) {
    throw new Fault("bad_request", 'The request target has to begin with "/"');
  }
  const segments = path.slice(1).split("/");
  const kept = segments.filter((segment, index) =>
    !isSingleDot(segment) || index === segments.length - 1
  ).map((segment) => isSingleDot(segment) ? "" : segment);
  return { rawPath: "/" + kept.join("/"), rawQuery, segments: kept };
}

/**
 * Percent-decodes a raw path piece exactly once.
 *
 * @throws {Fault} `bad_request` for malformed escapes, invalid UTF-8, backslashes and control
 * characters; `forbidden` for a `..` component (`design.md` decision 3)
 */
export function decodePath(raw: string): string {
  if (SIMPLE.test(raw)) return raw;
  let decoded: string;
  try {
    decoded = decodeURIComponent(raw);
  } catch {
    throw new Fault("bad_request", "The path has a malformed percent escape or is not UTF-8");
  }
  // deno-lint-ignore no-control-regex
  if (/[\u0000-\u001f\u007f\\]/.test(decoded)) {
    throw new Fault("bad_request", "The path has a backslash or a control character");
  }
  if (decoded.split("/").includes("..")) {
    throw new Fault("forbidden", 'The path has a ".." component');
  }
  return decoded;
}

/** The query's parameters; malformed escapes are kept as they are, as `URLSearchParams` has it. */
export function queryOf(target: Target): URLSearchParams {
  return new URLSearchParams(target.rawQuery);
}

function isSingleDot(segment: string): boolean {
  return segment === "." || segment.toLowerCase() === "%2e";
}
