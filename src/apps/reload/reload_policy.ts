/**
 * For whom live reload is on.
 *
 * @module
 */

import type { LiveReloadMode } from "../../config/settings.ts";
import { isLoopbackAddress, isLoopbackName, parseHost } from "../../http/host_name.ts";
import type { RequestContext } from "../../http/route.ts";

/**
 * Whether the sender of a request gets live reload: by default only browsers on this machine, which
 * are those of the person for whom an agent is writing.
 */
export function isLive(
  mode: LiveReloadMode,
  { info }: Pick<RequestContext, "info">,
): boolean {
  if (mode !== "auto") return mode === "on";
  if (info === null || info.peer === null) return false;
  const host = parseHost(info.host ?? "");
  return isLoopbackAddress(info.peer.address) && host !== null && isLoopbackName(host.name);
}
