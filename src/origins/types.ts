/**
 * What the parts of own origins tell each other.
 *
 * @module
 */

import type { Principal } from "../http/route.ts";

/** An app of an agent. */
export interface AppRef {
  readonly agentId: string;
  readonly appId: string;
}

/** That somebody may use one app, and whose word that is. */
export interface Grant extends AppRef {
  /** How the owner was known at Holon's own address. */
  readonly by: Exclude<Principal["kind"], "anonymous">;
  /** The owner's session: the grant ends with it. `null` where there was none. */
  readonly sessionId: string | null;
  /** The owner's server token: the grant ends with it. `null` where it was not one. */
  readonly tokenId: string | null;
}
