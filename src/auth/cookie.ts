/**
 * The session cookie. Its name carries the port, since cookies ignore ports and two servers on one
 * host are normal (`design.md` decision 13).
 *
 * @module
 */

import type { HostAndPort } from "../http/host_name.ts";

/** The cookie's name for the host and port that the client sees. */
export function cookieName(host: HostAndPort): string {
  return `holon_session_${host.port ?? 80}`;
}

/**
 * Every value of a cookie in a `Cookie` header, in order. Broken neighbours are skipped; a name
 * that comes twice gives both, since either may be the live one.
 */
export function cookieValues(header: string | null, name: string): readonly string[] {
  if (header === null) return [];
  return header.split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    if (equals < 0 || pair.slice(0, equals).trim() !== name) return [];
    return [pair.slice(equals + 1).trim()];
  });
}

/**
 * A `Set-Cookie` value that sets the session, or clears it when the credential is `null`.
 *
 * @param secure whether the browser comes over TLS: it then sends the cookie over TLS only
 */
export function sessionCookie(
  host: HostAndPort,
  credential: string | null,
  secure: boolean,
): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  const name = cookieName(host);
  return credential === null
    ? `${name}=; ${attributes}; Max-Age=0`
    : `${name}=${credential}; ${attributes}`;
}
