/**
 * Headers of Holon's own pages.
 *
 * @module
 */

/**
 * The policy of our pages: scripts, styles and calls of our own only, nothing inline.
 *
 * @param style what else may style the page, e.g. a digest of an inline style
 */
export function contentPolicy(style = "'self'"): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${style}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Headers of a page. Its address may hold where to go after signing in: it is told to no one. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-cache",
  "content-security-policy": contentPolicy(),
  "content-type": "text/html; charset=utf-8",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Headers of the icon; an SVG that is opened by itself may do nothing. */
export const ICON_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "private, max-age=86400",
  "content-security-policy": "default-src 'none'",
  "content-type": "image/svg+xml",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
};
