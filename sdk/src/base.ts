/**
 * The app's root as the classic script sees it: the folder that `holon.js` was loaded from, so that
 * `../holon.js` in a nested page works. Without a script element, that of {@linkcode baseOfPage}.
 */
export function baseOfScript(scriptUrl: string | undefined, pageUrl: string): string {
  if (scriptUrl === undefined || !/^https?:/.test(scriptUrl)) return baseOfPage(pageUrl);
  return new URL(".", scriptUrl).href;
}

/**
 * The app's root as the page's own address tells it: `/apps/<agent>/<app>/`; without such a prefix
 * the root of the origin that is the app's own, by its name, or else the page's folder.
 */
export function baseOfPage(pageUrl: string): string {
  const url = new URL(pageUrl);
  const root = /^.*?\/apps\/[^/]+\/[^/]+(?=\/|$)/.exec(url.pathname);
  if (root !== null) return new URL(root[0] + "/", url).href;
  return new URL(/^[^.]+-[\da-f]{8}\./.test(url.hostname) ? "/" : ".", url).href;
}
