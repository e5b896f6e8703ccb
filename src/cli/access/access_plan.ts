/**
 * What the options about access come to.
 *
 * @module
 */

import type { AccessMode } from "../command.ts";
import type { TcpAddress } from "../listen_address.ts";

/** How a server is to be reached; nothing of it was tried yet. */
export interface AccessPlan {
  readonly access: AccessMode;
  /** Where to listen; the first is the main one, and has the port that the others take too. */
  readonly listen: readonly [TcpAddress, ...TcpAddress[]];
  /**
   * A name whose addresses, where they are this machine's, are listened on in place of every
   * address; `null` where the addresses were given.
   */
  readonly listenName: string | null;
  /** What clients are told to dial; `null` where nothing was said. */
  readonly advertise: Advertised | null;
  /** For callbacks from outside; `null` stands for this machine's own loopback address. */
  readonly callbackBaseUrl: string | null;
  /** Where the token comes from; `null` where none was given. */
  readonly token: TokenSource | null;
}

/** A URL as it was given, or a host at which the listener's port is added. */
export type Advertised =
  | { readonly kind: "host"; readonly host: string }
  | { readonly kind: "url"; readonly host: string; readonly url: string };

/** Where a token comes from. */
export type TokenSource =
  | { readonly kind: "environment" }
  | { readonly kind: "file"; readonly path: string }
  /** As given on the command line, without blanks around it. */
  | { readonly kind: "option"; readonly token: string };
