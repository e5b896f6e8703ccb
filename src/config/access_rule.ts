/**
 * Which settings need a token (`design.md` decision 13).
 *
 * @module
 */

import { isLoopbackName, parseHost } from "../http/host_name.ts";
import type { ConfigSnapshot } from "./settings.ts";

/**
 * Says, as a sentence, what in the configuration asks for a token where there is none; `null` when
 * the configuration may be used.
 */
export function tokenProblem(snapshot: ConfigSnapshot, hasToken: boolean): string | null {
  if (hasToken) return null;
  const { allowed_hosts, trusted_proxies } = snapshot.settings.server;
  const host = allowed_hosts.find((name) => !isLoopbackName(parseHost(name)?.name ?? name));
  if (host !== undefined) {
    return `server.allowed_hosts has the public name "${host}", which needs a token: ` +
      "start with --token-file FILE, or set HOLON_CONTROL_TOKEN";
  }
  if (snapshot.settings.local_apps.origin_domain !== null) {
    return "local_apps.origin_domain needs a token: start with --token-file FILE, or set " +
      "HOLON_CONTROL_TOKEN";
  }
  if (trusted_proxies.length > 0) {
    return "server.trusted_proxies needs a token: start with --token-file FILE, or set " +
      "HOLON_CONTROL_TOKEN";
  }
  return null;
}
