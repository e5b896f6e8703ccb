/**
 * A bound on the event streams of one browser. Browsers open six connections to a host, and each
 * stream holds one: a page that opens hundreds would keep the owner's other pages from loading. So
 * streams beyond the bound are refused at once, and what is left serves pages (`design.md`
 * decision 11).
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { RequestContext, Route } from "./route.ts";
import { endOfStream } from "./sse.ts";

/** One more than Holon's own pages and the SDK open, since those of a page that reloads overlap. */
export const STREAMS_OF_A_BROWSER = 5;

/** Gives routes of event streams a bound that they share; others stay as they are. */
export type BoundStreams = (routes: readonly Route[]) => readonly Route[];

/** Makes the bound. */
export function createStreamBound(limit: number = STREAMS_OF_A_BROWSER): BoundStreams {
  const open = new Map<string, number>();

  /** Counts a stream of a browser in; gives what counts it out. */
  function enter(browser: string): () => void {
    const count = open.get(browser) ?? 0;
    if (count >= limit) {
      throw new Fault("too_many_streams", "This browser has too many event streams open", {
        hint: "Close pages that are no longer needed, then try again.",
      });
    }
    open.set(browser, count + 1);
    return () => {
      const left = open.get(browser)! - 1;
      if (left === 0) open.delete(browser);
      else open.set(browser, left);
    };
  }

  return (routes) =>
    routes.map((route) => {
      if (route.produces !== "text/event-stream") return route;
      const handler = async (context: RequestContext) => {
        const browser = browserOf(context);
        if (browser === null) return await route.handler(context);
        const leave = enter(browser);
        let over: AbortSignal | undefined;
        try {
          const response = await route.handler(context);
          over = endOfStream(response);
          return response;
        } finally {
          if (over === undefined || over.aborted) leave();
          else over.addEventListener("abort", leave, { once: true });
        }
      };
      return { ...route, handler };
    });
}

/**
 * Names the browser and the host that it talks to; `null` for other programs, which open as many
 * connections as they like. Pages can't change or leave out what tells a browser (W3C Fetch
 * Metadata, §2). Two profiles of one browser are told apart by their sessions, where they have any.
 */
function browserOf({ request: { headers }, client, principal }: RequestContext): string | null {
  if (!headers.has("sec-fetch-mode")) return null;
  const { name, port } = client.host;
  const who = principal.sessionId === null
    ? [client.address, headers.get("user-agent")]
    : [principal.sessionId];
  return JSON.stringify([name, port, ...who]);
}
