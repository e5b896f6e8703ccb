/**
 * Whether browsers come over TLS, which Holon itself never speaks: a proxy does.
 *
 * @module
 */

import type { Client } from "../http/client.ts";
import { parseHost } from "../http/host_name.ts";

/**
 * Whether a client comes over TLS: a trusted proxy says so, or it came to the name of an advertised
 * https URL. Where nobody knows, it counts as plain: a browser would drop a `Secure` cookie there.
 *
 * @param advertised the URL that clients are told, `null` for none
 */
export function isSecure({ scheme, host }: Client, advertised: string | null): boolean {
  if (scheme !== null) return scheme === "https";
  if (advertised === null || !URL.canParse(advertised)) return false;
  const url = new URL(advertised);
  const known = parseHost(url.host);
  return url.protocol === "https:" && known !== null && known.name === host.name &&
    (known.port ?? 443) === (host.port ?? 443);
}
