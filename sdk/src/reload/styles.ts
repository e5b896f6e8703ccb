/** The query parameter by which a stylesheet's address differs from the one before. */
const PARAMETER = "holon-reload";

/**
 * Loads stylesheets anew, each beside the old one until it is there.
 *
 * @param paths below the app's root
 * @param onFailure called when one can't be loaded
 * @returns whether the page has a `<link>` for each; if not, nothing was done
 */
export function swapStyles(
  base: string,
  paths: readonly string[],
  onFailure: () => void,
): boolean {
  const links = [...document.querySelectorAll<HTMLLinkElement>("link[rel~=stylesheet][href]")];
  const found = paths.map((path) => {
    // As the page may write it, e.g. a space as %20.
    const { pathname } = new URL(encodeURI(path).replace(/[?#]/g, encodeURIComponent), base);
    return links.filter((link) => decoded(new URL(link.href).pathname) === decoded(pathname));
  });
  if (found.some((matching) => matching.length === 0)) return false;
  for (const link of found.flat()) swap(link, onFailure);
  return true;
}

function swap(link: HTMLLinkElement, onFailure: () => void): void {
  const url = new URL(link.href);
  url.searchParams.set(PARAMETER, Date.now().toString(36));
  // One that is off isn't loaded: it has only to be right when it is turned on.
  if (link.disabled) link.href = url.href;
  else {
    const next = link.cloneNode() as HTMLLinkElement;
    next.href = url.href;
    next.onload = () => link.remove();
    next.onerror = onFailure;
    link.after(next);
  }
}

function decoded(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}
