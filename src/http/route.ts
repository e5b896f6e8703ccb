/**
 * What a route is: the contract between the router and the capabilities.
 *
 * @module
 */

import type { z } from "zod";
import type { FaultCode } from "../fault.ts";
import type { Awaitable, ConnectionInfo } from "../host/types.ts";
import type { Client } from "./client.ts";
import type { Target } from "./target.ts";
import type { RequestTrail } from "./trail.ts";

/** Methods that a route may have; HEAD and OPTIONS are answered by the router. */
export type RouteMethod = "DELETE" | "GET" | "PATCH" | "POST" | "PUT";

/**
 * Who may call a route: `public` needs nothing; the others need a credential with that scope where
 * a token is required.
 */
export type RouteScope = "app" | "control" | "public" | "read";

/** Who sends a request, as far as authentication tells. */
export interface Principal {
  /** `local`: no credential was needed; `anonymous`: one is needed and none was given. */
  readonly kind: "anonymous" | "local" | "session" | "token";
  readonly scopes: ReadonlySet<RouteScope>;
  /** The session's id, where a session let the request in. */
  readonly sessionId: string | null;
  /** The server token's id, where one let the request in that is not the server's own. */
  readonly tokenId?: string;
  /**
   * Calls back once when the credential has ended, also by time; gives what stops waiting. Absent
   * where it ends with the server only.
   */
  readonly whenEnded?: (callback: () => void) => () => void;
  /** Of an anonymous sender: what it presented was wrong, or has ended. */
  readonly rejection?: Rejection;
}

/** How a wrong credential is refused; equal for one that has ended and one that never was. */
export interface Rejection {
  /** How long the sender is put off, in whole seconds; 0 while it may try again. */
  readonly waitS: number;
}

/** Who sends a request, and whether a valid `Authorization` header says so. */
export interface Identity {
  readonly principal: Principal;
  /** Only a valid bearer credential exempts from the cross-site check (decision 15). */
  readonly byBearer: boolean;
}

/** Tells who sends a request. */
export type Authenticate = (
  request: Request,
  info: ConnectionInfo | null,
  client: Client,
) => Promise<Identity>;

/** What a handler is given. */
export interface RequestContext {
  readonly request: Request;
  /** `null` when `fetch` was called without a listener: an untrusted peer. */
  readonly info: ConnectionInfo | null;
  /** Its sender, as that sees itself: behind a trusted proxy, not the connection's peer. */
  readonly client: Client;
  readonly target: Target;
  readonly principal: Principal;
  /** Path parameters, percent-decoded exactly once. */
  readonly params: Readonly<Record<string, string>>;
  /** Identifies this request in logs. */
  readonly requestId: string;
  /** What is written down of this request; absent where nobody asks. */
  readonly trail?: RequestTrail;
}

/** A request handler; it may throw a `Fault`. */
export type RouteHandler = (context: RequestContext) => Awaitable<Response>;

/** One method and path with its handler. */
export interface Route {
  readonly method: RouteMethod;
  /**
   * Literal segments, `:name` for one segment and `:name+` at the end for the rest, e.g.
   * `/apps/:agent/:app/:path+`.
   */
  readonly path: string;
  readonly scope: RouteScope;
  /** One sentence that says what the route does, for the API reference. */
  readonly summary: string;
  readonly handler: RouteHandler;
  // What follows is for the API reference; a test holds it against real answers.
  /** Shape of the JSON body, of the query and of the answer. */
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  readonly response?: z.ZodType;
  /** Media type of an answer that isn't JSON; a file may be of any. */
  readonly produces?: string;
  /** What it answers with besides refusals, and what that means; 200 where there is nothing here. */
  readonly statuses?: Readonly<Record<number, string>>;
  /** Names of the request headers that it heeds, such as `Range`. */
  readonly requestHeaders?: readonly string[];
  /** Names of the headers of its answer that mean something to clients. */
  readonly responseHeaders?: readonly string[];
  /** Codes that it refuses with, besides those that any route may. */
  readonly refusals?: readonly FaultCode[];
}
