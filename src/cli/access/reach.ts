/**
 * How a server is reached, once it listens.
 *
 * @module
 */

import type { Reach } from "../../config/reach.ts";
import { addressText, isLoopback, originOf, type TcpAddress } from "../listen_address.ts";
import type { AccessPlan } from "./access_plan.ts";
import { advertisedUrl } from "./resolve_access.ts";

/** Tells it from the plan and the addresses that were taken, the main one first. */
export function reachOf(
  plan: AccessPlan,
  bound: readonly [TcpAddress, ...TcpAddress[]],
): Reach {
  const own = bound.find(isLoopback) ?? bound[0];
  return {
    access: plan.access,
    listen: bound.map(addressText),
    advertise_url: advertisedUrl(plan.advertise, bound[0].port),
    callback_base_url: plan.callbackBaseUrl ?? originOf(own),
  };
}
