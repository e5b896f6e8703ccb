/**
 * Conditional requests (RFC 9110 §13): whether to send the file, and whether to heed a range.
 *
 * @module
 */

import {
  type EntityTag,
  matchesStrongly,
  matchesWeakly,
  parseEntityTag,
  parseEntityTags,
} from "./entity_tag.ts";
import { parseHttpDate } from "./http_date.ts";

/** What a representation is recognised by. */
export interface Validators {
  readonly tag: EntityTag;
  /** Time of the last change, in whole seconds since the epoch. */
  readonly modified: number;
  /**
   * Whether {@linkcode modified} can vouch for the bytes: not while a second change within the same
   * second, or a time ahead of the clock, may hide a change.
   */
  readonly dateIsReliable: boolean;
}

/** What the preconditions come to. */
export type Verdict = "not_modified" | "precondition_failed" | "send";

/**
 * Evaluates the preconditions in the order of RFC 9110 §13.2.2. Call it only where the answer would
 * otherwise be a success, and for GET and HEAD.
 *
 * @param now seconds since the epoch, to read two-digit years by
 */
export function evaluatePreconditions(
  headers: Headers,
  validators: Validators,
  now: number,
): Verdict {
  const ifMatch = headers.get("if-match");
  if (ifMatch !== null) {
    if (!anyTag(ifMatch, validators.tag, matchesStrongly)) return "precondition_failed";
  } else {
    const since = parseHttpDate(headers.get("if-unmodified-since") ?? "", now);
    if (since !== null && validators.modified > since) return "precondition_failed";
  }
  const ifNoneMatch = headers.get("if-none-match");
  if (ifNoneMatch !== null) {
    return anyTag(ifNoneMatch, validators.tag, matchesWeakly) ? "not_modified" : "send";
  }
  const since = parseHttpDate(headers.get("if-modified-since") ?? "", now);
  const unchanged = since !== null && validators.modified <= since;
  return unchanged && validators.dateIsReliable ? "not_modified" : "send";
}

/**
 * Tells whether `Range` is to be heeded: `If-Range` is absent, or is the current validator in a
 * form that proves that the bytes are the same (RFC 9110 §13.1.5).
 *
 * @param now seconds since the epoch, to read two-digit years by
 */
export function rangeApplies(headers: Headers, validators: Validators, now: number): boolean {
  const value = headers.get("if-range");
  if (value === null) return true;
  const tag = parseEntityTag(value);
  if (tag !== null) return matchesStrongly(tag, validators.tag);
  return validators.dateIsReliable && parseHttpDate(value, now) === validators.modified;
}

type Comparison = (one: EntityTag, other: EntityTag) => boolean;

function anyTag(value: string, current: EntityTag, matches: Comparison): boolean {
  const tags = parseEntityTags(value);
  return tags === "*" || tags.some((tag) => matches(tag, current));
}
