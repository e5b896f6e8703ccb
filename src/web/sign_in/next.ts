/**
 * The address to go to after signing in: the `next` of a query if it is a path of this origin, else
 * `/`.
 *
 * The address is resolved as a browser would and only then compared, so that `//host`, `/\host`, and
 * schemes hidden by tabs or newlines lead nowhere else.
 */
export function safeNext(query: string, origin: string): string {
  const next = new URLSearchParams(query).get("next");
  if (next === null || !next.startsWith("/")) return "/";
  let url: URL;
  try {
    url = new URL(next, origin);
  } catch {
    return "/";
  }
  if (url.origin !== origin || url.pathname === "/sign-in") return "/";
  // In full: a path such as `//host` would lead elsewhere when resolved once more.
  return url.href;
}
