/**
 * For whom live reload is on.
 *
 * @module
 */

import { isFromThisMachine } from "../../auth/authenticate.ts";
import type { LiveReloadMode } from "../../config/settings.ts";
import { isLoopbackName, parseHost } from "../../http/host_name.ts";
import type { RequestContext } from "../../http/route.ts";

/**
 * Whether the sender of a request gets live reload: by default only browsers on this machine, which
 * are those of the person for whom an agent is writing.
 */
export function isLive(
  mode: LiveReloadMode,
  { request, info }: Pick<RequestContext, "info" | "request">,
): boolean {
  if (mode !== "auto") return mode === "on";
  const host = parseHost(info?.host ?? "");
  if (host === null || !isFromThisMachine(request, info)) return false;
  // Apps with an origin of their own are at names below `localhost`.
  return isLoopbackName(host.name) || host.name.endsWith(".localhost");
}
