/**
 * The cookie that a browser holds at an app's origin.
 *
 * @module
 */

import { jwtVerify, SignJWT } from "jose";
import { cookieValues } from "../auth/cookie.ts";
import type { Clock } from "../host/types.ts";
import type { HostAndPort } from "../http/host_name.ts";
import { grantOfClaims, grantToClaims } from "./claims.ts";
import type { DeriveBytes } from "./home_key.ts";
import { LABEL_DIGITS } from "./labels.ts";
import { authorityOf } from "./rule.ts";
import type { Grant } from "./types.ts";

/** How long a cookie is good, in seconds; it ends earlier with the owner's session. */
export const COOKIE_SECONDS: number = 7 * 24 * 3600;

/** Cookies of one name that are looked at: a page of a parent domain could set many. */
const MAX_VALUES = 8;
const MAX_REMEMBERED = 512;

const ISSUER = "holon";
const TYPE = "holon-app+jwt";

/** Makes and reads cookies. */
export interface AppCookies {
  /**
   * A `Set-Cookie` value, host-only, that no script can read.
   *
   * @param secure whether the browser comes over TLS, so that it may be kept to that
   */
  issue(grant: Grant, host: HostAndPort, label: string, secure: boolean): Promise<string>;
  /** What the request's cookies grant at this host; `null` where nothing. */
  read(header: string | null, host: HostAndPort, label: string): Promise<Grant | null>;
}

/** What the cookies need. */
export interface AppCookieOptions {
  readonly clock: Pick<Clock, "now">;
  readonly derive: DeriveBytes;
  /** The digest of the server's token: with another token all cookies end. */
  readonly tokenDigest: string | null;
}

/**
 * Makes the cookies. They are signed and name their host, so that one which a sibling sets for the
 * domain that both are below is worth nothing. No `__Host-`, and `Secure` only behind a proxy that
 * says so: on this machine the origin is plain http.
 */
export function createAppCookies({ clock, derive, tokenDigest }: AppCookieOptions): AppCookies {
  const key = () => derive(`cookie\0${tokenDigest ?? ""}`);
  const verified = new Map<string, { readonly grant: Grant; readonly endsMs: number }>();

  async function verify(value: string, audience: string): Promise<Grant | null> {
    const id = `${audience} ${value}`;
    const known = verified.get(id);
    if (known !== undefined && known.endsMs > clock.now()) return known.grant;
    const options = {
      algorithms: ["HS256"],
      audience,
      issuer: ISSUER,
      typ: TYPE,
      requiredClaims: ["exp"],
      currentDate: new Date(clock.now()),
    };
    const secret = await key();
    const payload = await jwtVerify(value, secret, options).then((it) => it.payload, () => null);
    const grant = grantOfClaims(payload);
    if (grant === null) return null;
    if (verified.size >= MAX_REMEMBERED) verified.clear();
    verified.set(id, { grant, endsMs: (payload?.exp ?? 0) * 1000 });
    return grant;
  }

  return {
    async issue(grant, host, label, secure) {
      const value = await new SignJWT(grantToClaims(grant))
        .setProtectedHeader({ alg: "HS256", typ: TYPE })
        .setIssuer(ISSUER)
        .setAudience(authorityOf(host))
        .setExpirationTime(Math.floor(clock.now() / 1000) + COOKIE_SECONDS)
        .sign(await key());
      // Lax: the way in is a redirect from another site, on which Strict ones are left out.
      const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
      return `${appCookieName(host, label)}=${value}; ${attributes}`;
    },
    async read(header, host, label) {
      const values = cookieValues(header, appCookieName(host, label));
      for (const value of values.slice(0, MAX_VALUES)) {
        const grant = await verify(value, authorityOf(host));
        if (grant !== null) return grant;
      }
      return null;
    },
  };
}

/** Its name has the port, which cookies ignore, and the label's digits. */
export function appCookieName(host: HostAndPort, label: string): string {
  return `holon_app_${host.port ?? 80}_${label.slice(-LABEL_DIGITS)}`;
}
