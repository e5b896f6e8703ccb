/**
 * The app's root as the classic script sees it: the folder that `holon.js` was loaded from, so that
 * `../holon.js` in a nested page works. Without a script element, that of {@linkcode baseOfPage}.
 */
export function baseOfScript(scriptUrl: string | undefined, pageUrl: string): string {
  if (scriptUrl === undefined || !/^https?:/.test(scriptUrl)) return baseOfPage(pageUrl);
  return new URL(".", scriptUrl).href;
}

/**
 * The app's root as the page's own address tells it: `/apps/<agent>/<app>/`, or the page's folder
 * where there is no such prefix (an app with an origin of its own).
 */
export function baseOfPage(pageUrl: string): string {
  const url = new URL(pageUrl);
  const root = /^.*?\/apps\/[^/]+\/[^/]+(?=\/|$)/.exec(url.pathname);
  return new URL(root === null ? "." : root[0] + "/", url).href;
}
