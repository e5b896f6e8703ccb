/**
 * What becomes known of a request on its way, for logs and metrics.
 *
 * @module
 */

import type { FaultCode } from "../fault.ts";
import type { ConnectionInfo } from "../host/types.ts";
import type { Route } from "./route.ts";

/** A request's trail; whoever learns something writes it down. */
export interface RequestTrail {
  readonly requestId: string;
  /** When it came in, by the monotonic clock, in ms. */
  readonly startedMs: number;
  /** The client's IP address; `null` on a Unix socket, and where it is unknown. */
  client: string | null;
  /** The route that answers; `null` where none matched, or the request didn't get that far. */
  route: Route | null;
  /** The path's parameters, as the client gave them. */
  params: Readonly<Record<string, string>>;
  /** Whether the route's handler was called, so that the answer or the refusal is its own. */
  handled: boolean;
  /** The code that the request was refused with. */
  code: FaultCode | null;
}

/** Told of each response before it is sent; must not throw. */
export type ResponseObserver = (
  trail: RequestTrail,
  request: Request,
  response: Response,
  info: ConnectionInfo | null,
) => void;
