/**
 * What every request goes through: target, Host, credential, site, route; and errors at the end.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { ConnectionInfo } from "../host/types.ts";
import { type ErrorPage, errorResponse } from "./errors.ts";
import { type GuardPolicy, requireHost, requireSameSite, sentHost } from "./guard.ts";
import type { Authenticate } from "./route.ts";
import type { Dispatch } from "./router.ts";
import { parseTarget } from "./target.ts";
import type { FindSite } from "./site.ts";
import type { RequestTrail, ResponseObserver } from "./trail.ts";

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
  /** Told of each response. */
  readonly onResponse?: ResponseObserver;
}

/** Answers a request; never throws. */
export type Pipeline = (request: Request, info: ConnectionInfo | null) => Promise<Response>;

/** Makes the handler that a listener calls. */
export function createPipeline(options: PipelineOptions): Pipeline {
  return async (request, info) => {
    const requestId = options.requestId();
    const startedMs = options.monotonic();
    const trail: RequestTrail = { requestId, startedMs, route: null, params: {}, code: null };
    const response = await answer(request, info, trail);
    // In place: a response that sends a file must not be wrapped.
    response.headers.set("x-request-id", requestId);
    options.onResponse?.(trail, request, response, info);
    return response;
  };

  async function answer(
    request: Request,
    info: ConnectionInfo | null,
    trail: RequestTrail,
  ): Promise<Response> {
    const { requestId } = trail;
    const rawTarget = info?.target ?? targetOf(request.url);
    try {
      if (options.isClosing()) throw new Fault("runtime_shutting_down", "Holon is shutting down");
      const sent = sentHost(request, info);
      const site = sent === null ? null : options.findSite?.(sent) ?? null;
      if (site !== null) {
        return await site({ request, info, target: parseTarget(rawTarget), requestId, trail });
      }
      const policy = options.policy();
      const host = requireHost(request, info, policy);
      const { principal, byBearer } = await options.authenticate(request, info, host);
      if (!byBearer) requireSameSite(request, host, policy);
      const target = parseTarget(rawTarget);
      return await options.dispatch({ request, info, target, principal, requestId, trail });
    } catch (error) {
      trail.code = error instanceof Fault ? error.code : "runtime_error";
      return errorResponse(error, request, rawTarget, {
        renderPage: options.renderPage,
        onUnexpected: (unexpected) => options.onUnexpected(unexpected, requestId),
      });
    }
  }
}

/** The target that a URL was made of, for calls without a listener. */
function targetOf(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "") || "/";
}
