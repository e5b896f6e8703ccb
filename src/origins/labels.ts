/**
 * Names of apps as one DNS label, e.g. `ping-card-1a2b3c4d`.
 *
 * One label, since hosts under a shared label could set cookies for each other.
 *
 * @module
 */

/** Leaves room for the digits in a label's 63 characters (RFC 1035 §2.3.4), and to read it. */
const MAX_SLUG = 40;

/** Hex digits that tell apps with the same slug apart, and that nobody can guess. */
export const LABEL_DIGITS = 8;

/**
 * What is left of an app id in lower-case letters, digits and single hyphens, at most 40 of them;
 * `app` where nothing is. Two hyphens in a row would make `xn--` possible (RFC 5891 §4.2.3.1).
 */
export function slugOf(appId: string): string {
  const slug = appId.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-/, "")
    .slice(0, MAX_SLUG).replace(/-$/, "");
  return slug === "" ? "app" : slug;
}

/** Whether a label may be one of an app. */
export function isAppLabel(label: string): boolean {
  return label.length <= MAX_SLUG + 1 + LABEL_DIGITS &&
    /^(?:[a-z0-9]+-)+[0-9a-f]{8}$/.test(label);
}
