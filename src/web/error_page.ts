/**
 * The page that a person sees instead of an error envelope.
 *
 * @module
 */

import { ERROR_STYLE, ERROR_STYLE_DIGEST, SIGN_IN_PAGE } from "./built.ts";
import { contentPolicy } from "./headers.ts";

/** What went wrong, as `http/errors.ts` tells it. */
export interface ErrorPageParts {
  readonly status: number;
  readonly code: string;
  readonly sentence: string;
  readonly hint: string | null;
  /** The path that was asked for. */
  readonly path: string;
  /** Whether it is shown at the host of an app, which has none of Holon's own pages. */
  readonly atAppHost: boolean;
}

/** A way out that the page offers. */
interface Action {
  readonly label: string;
  readonly href: string;
}

/**
 * The style is in the page, allowed by its digest: a page about a wrong Host or a full server can't
 * load a second file.
 */
const POLICY = contentPolicy(`'sha256-${ERROR_STYLE_DIGEST}'`);

/** In the place of a page that needs one to be signed in; it is that page when it is loaded again. */
const SIGN_IN = { html: SIGN_IN_PAGE, csp: contentPolicy() };

/**
 * Renders an error as a page with what a person can do about it (`design.md` decision 2): the
 * sign-in form where that is what is missing. At the addresses of apps only a link leads to it: a
 * service worker of the app's could read what is typed there.
 *
 * @returns the page and the content security policy that it needs
 */
export function renderErrorPage(
  parts: ErrorPageParts,
): { readonly html: string; readonly csp: string } {
  const { status, code, hint } = parts;
  if (status === 401 && !isOfApp(parts)) return SIGN_IN;
  const sentence = escapeHtml(endSentence(parts.sentence));
  const actions = actionsFor(parts)
    .map(({ label, href }) => `<a href="${escapeHtml(href)}">${escapeHtml(label)}</a>`)
    .join("\n        ");
  const html = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${sentence} – Holon</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <style>${ERROR_STYLE}</style>
  </head>
  <body>
    <main>
      <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
        <circle class="ring" cx="16" cy="16" r="13"></circle>
        <circle class="core" cx="19.5" cy="19.5" r="6"></circle>
      </svg>
      <h1>${withCode(sentence)}</h1>
      ${hint === null ? "" : `<p class="hint">${withCode(escapeHtml(endSentence(hint)))}</p>`}
      <nav class="actions" aria-label="What to do">
        ${actions}
      </nav>
      <p class="code">${status} · ${escapeHtml(code)}</p>
    </main>
  </body>
</html>
`;
  return { html, csp: POLICY };
}

function isOfApp({ path, atAppHost }: ErrorPageParts): boolean {
  return atAppHost || /^\/apps(?:\/|$)/.test(path);
}

function actionsFor({ status, code, path, atAppHost }: ErrorPageParts): readonly Action[] {
  const home = { label: "Go to the home page", href: "/" };
  const again = { label: "Try again", href: samePath(path) };
  if (atAppHost) return [again];
  if (status === 401 || code === "too_many_attempts") {
    return [{ label: "Sign in", href: `/sign-in?next=${encodeURIComponent(samePath(path))}` }];
  }
  // Another name or another site is the matter: a link of this page would meet the same refusal.
  if (status === 421) return [again];
  if (status === 408 || status === 429 || status >= 500) return [again, home];
  return [home];
}

/** The path as a link of this origin: `//host` would be another one's. */
function samePath(path: string): string {
  return /^\/(?![/\\])/.test(path) ? path : "/";
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : text + ".";
}

/** What stands between backticks is something to type or to look for. */
function withCode(html: string): string {
  return html.replace(/`([^`]+)`/g, "<code>$1</code>");
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
