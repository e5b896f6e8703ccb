/**
 * What every request goes through: target, Host, credential, site, route; and errors at the end.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { genuineResponse } from "../host/fetch/light_response.ts";
import type { ConnectionInfo } from "../host/types.ts";
import { type ErrorPage, errorResponse } from "./errors.ts";
import { clientOf } from "./client.ts";
import { type GuardPolicy, requireHost, requireSameSite } from "./guard.ts";
import type { HostAndPort } from "./host_name.ts";
import type { Authenticate } from "./route.ts";
import type { Dispatch } from "./router.ts";
import { parseTarget } from "./target.ts";
import type { FindSite } from "./site.ts";
import type { RequestTrail, ResponseObserver } from "./trail.ts";

/** What an answer that no handler made was asked for. */
export interface Asked {
  /** The host that the request is for; `null` where it was not made out. */
  host: HostAndPort | null;
  readonly rawTarget: string;
  /** Whether the sender may see more than what is public. */
  isKnown: boolean;
}

/** The parts of the pipeline. */
export interface PipelineOptions {
  /** What the operator allows; asked per request, so that a reload takes effect. */
  readonly policy: () => GuardPolicy;
  /** Finds hosts that have routes of their own; the parts that follow don't see their requests. */
  readonly findSite?: FindSite;
  readonly authenticate: Authenticate;
  readonly dispatch: Dispatch;
  readonly renderPage: (page: ErrorPage) => { readonly html: string; readonly csp: string };
  /** Told of errors that are faults of ours, with the id that the request has in the log. */
  readonly onUnexpected: (error: unknown, requestId: string) => void;
  /** Makes the id of a request. */
  readonly requestId: () => string;
  /** Whether the server is shutting down. */
  readonly isClosing: () => boolean;
  /** Milliseconds since some start. */
  readonly monotonic: () => number;
  /**
   * Headers of answers that no handler made, such as those to a wrong method or without a token;
   * `null` for none. Must not throw.
   */
  readonly headersBeside?: (asked: Readonly<Asked>) => Promise<HeaderFields | null>;
  /** Told of each response. */
  readonly onResponse?: ResponseObserver;
}

/** Headers by their names. */
export type HeaderFields = Readonly<Record<string, string>>;

/** Answers a request; never throws. */
export type Pipeline = (request: Request, info: ConnectionInfo | null) => Promise<Response>;

/** Makes the handler that a listener calls. */
export function createPipeline(options: PipelineOptions): Pipeline {
  return async (request, info) => {
    const requestId = options.requestId();
    const startedMs = options.monotonic();
    const trail: RequestTrail = {
      requestId,
      startedMs,
      client: info?.peer?.address ?? null,
      route: null,
      params: {},
      handled: false,
      code: null,
    };
    const asked: Asked = {
      host: null,
      rawTarget: info?.target ?? targetOf(request.url),
      isKnown: false,
    };
    const response = await answer(request, info, trail, asked);
    // In place: a response that sends a file must not be wrapped.
    response.headers.set("x-request-id", requestId);
    if (!trail.handled) {
      const beside = await options.headersBeside?.(asked) ?? {};
      for (const [name, value] of Object.entries(beside)) response.headers.set(name, value);
    }
    options.onResponse?.(trail, request, response, info);
    return info?.sendsFiles ? response : genuineResponse(response);
  };

  async function answer(
    request: Request,
    info: ConnectionInfo | null,
    trail: RequestTrail,
    asked: Asked,
  ): Promise<Response> {
    const { requestId } = trail;
    const { rawTarget } = asked;
    let atAppHost = false;
    try {
      if (options.isClosing()) throw new Fault("runtime_shutting_down", "Holon is shutting down");
      const policy = options.policy();
      const client = clientOf(request, info, policy.trustedProxies);
      trail.client = client.address;
      asked.host = client.host;
      const site = options.findSite?.(client.host) ?? null;
      if (site !== null) {
        atAppHost = true;
        const target = parseTarget(rawTarget);
        return await site({ request, info, client, target, requestId, trail });
      }
      requireHost(client, info, policy);
      const { principal, byBearer } = await options.authenticate(request, info, client);
      if (!byBearer) requireSameSite(request, client, policy);
      asked.isKnown = principal.kind !== "anonymous";
      const target = parseTarget(rawTarget);
      return await options.dispatch({ request, info, client, target, principal, requestId, trail });
    } catch (error) {
      trail.code = error instanceof Fault ? error.code : "runtime_error";
      return errorResponse(error, request, rawTarget, {
        renderPage: options.renderPage,
        atAppHost,
        onUnexpected: (unexpected) => options.onUnexpected(unexpected, requestId),
      });
    }
  }
}

/** The target that a URL was made of, for calls without a listener. */
function targetOf(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "") || "/";
}
