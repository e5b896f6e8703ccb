/**
 * Entity tags (RFC 9110 §8.8.3): making them for files, reading lists of them, comparing them.
 *
 * @module
 */

import type { FileStat } from "../host/types.ts";

/** An entity tag taken apart. */
export interface EntityTag {
  readonly weak: boolean;
  /** What stands between the quotes. */
  readonly opaque: string;
}

/** What `If-Match` and `If-None-Match` hold: anything, or these tags. */
export type EntityTagList = "*" | readonly EntityTag[];

/** How old a change has to be before a second one can be told from it, in ms (decision 5). */
const SETTLING_MS = 2000;

// One tag and what separates it from the next: empty list elements are allowed (RFC 9110 §5.6.1).
const LIST_ITEM = /[\t ,]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*(?=,|$))?/y;
const SINGLE_TAG = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/**
 * Reads the value of `If-Match` or `If-None-Match`. Where the grammar breaks the rest is left out,
 * so that a damaged list names fewer tags, never more.
 */
export function parseEntityTags(value: string): EntityTagList {
  if (/^[\t ]*\*[\t ]*$/.test(value)) return "*";
  const tags: EntityTag[] = [];
  LIST_ITEM.lastIndex = 0;
  for (;;) {
    const match = LIST_ITEM.exec(value);
    if (match?.[2] === undefined) return tags;
    tags.push({ weak: match[1] !== undefined, opaque: match[2] });
  }
}

/** Reads one entity tag; `null` when the text is anything else. */
export function parseEntityTag(value: string): EntityTag | null {
  const match = SINGLE_TAG.exec(value);
  return match === null ? null : { weak: match[1] !== undefined, opaque: match[2] ?? "" };
}

/** Writes an entity tag as a field value. */
export function formatEntityTag(tag: EntityTag): string {
  return `${tag.weak ? "W/" : ""}"${tag.opaque}"`;
}

/** Strong comparison: equal, and neither is weak (RFC 9110 §8.8.3.2). */
export function matchesStrongly(one: EntityTag, other: EntityTag): boolean {
  return !one.weak && !other.weak && one.opaque === other.opaque;
}

/** Weak comparison: equal, weak or not. */
export function matchesWeakly(one: EntityTag, other: EntityTag): boolean {
  return one.opaque === other.opaque;
}

/**
 * Tells whether a file's times are old enough to be validators: a change in the same tick of the
 * file system's clock can't be seen (RFC 9110 §8.8.1, `design.md` decision 5). A modification time
 * ahead of the clock was set by hand and tells nothing; the change time then decides alone.
 *
 * @param now wall-clock time in ms
 */
export function isSettled(stat: FileStat, now: number): boolean {
  if (now - stat.ctimeMs < SETTLING_MS) return false;
  return stat.mtimeMs > now || now - stat.mtimeMs >= SETTLING_MS;
}

/**
 * Makes the tag of a file from the path that it is addressed by, its size, times and inode: the tag
 * changes whenever the bytes may have changed. It is weak while the file isn't settled, and then
 * also used once only: were it the later strong tag in weak form, a client that got it just before
 * a rewrite within the same tick would be told 304 for ever after.
 *
 * @param path the path below the app's root, as addressed
 * @param now wall-clock time in ms
 */
export function fileEntityTag(path: string, stat: FileStat, now: number): EntityTag {
  const times = `${base36(stat.mtimeMs)}.${base36(stat.ctimeMs)}`;
  const place = hash(`${path}\n${stat.dev}\n${stat.ino}`);
  const opaque = `${stat.size.toString(36)}.${times}.${place}`;
  if (isSettled(stat, now)) return { weak: false, opaque };
  return { weak: true, opaque: `${opaque}.${crypto.randomUUID().slice(0, 13)}` };
}

const written = new Map<number, string>();
const MAX_WRITTEN = 256;

/** A time in base 36; the same ones come again, and the runtimes are slow to write large numbers. */
function base36(ms: number): string {
  let text = written.get(ms);
  if (text === undefined) {
    text = ms.toString(36);
    if (written.size >= MAX_WRITTEN) written.clear();
    written.set(ms, text);
  }
  return text;
}

/** FNV-1a, twice with different offsets: 64 bits without the cost of BigInt. */
function hash(text: string): string {
  let low = 0x811c9dc5;
  let high = 0xcbf29ce4;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit ^ (low >>> 16), 0x01000193);
  }
  return (high >>> 0).toString(36) + (low >>> 0).toString(36);
}
