/** The page's one event stream: shared with the browser's other pages, let go of while hidden. */

import { PAGE_TRANSPORT } from "../../../sdk/src/app.ts";
import { followDirectly } from "../../../sdk/src/direct.ts";
import { canShare, SharedStream } from "../../../sdk/src/shared_stream.ts";
import type { Sink } from "../../../sdk/src/sink.ts";

/** Whom to tell. */
export interface LiveListener {
  /** The stream is open: what changed before is not told. */
  onOpen(): void;
  onDown(): void;
  /** Something became of a message of this agent. */
  onEvent(agentId: string): void;
  /** The server refuses the stream. */
  onRefused(): void;
}

/** A server that refuses may be set up otherwise by then. */
const REFUSED_MS = 30_000;

/** Follows all agents' events while the page is seen. */
export function followEvents(listener: LiveListener): void {
  const url = new URL("/api/events/stream", location.origin).href;
  const shared = canShare() ? new SharedStream(PAGE_TRANSPORT, url) : null;
  let connection: AbortController | null = null;
  const begin = () => {
    if (connection !== null || document.visibilityState === "hidden") return;
    connection = new AbortController();
    // No position: after each opening the page loads everything, and needs no replay.
    const sink: Sink = {
      cursor: null,
      onOpen: () => listener.onOpen(),
      onDown: () => listener.onDown(),
      onEvent: (data) => listener.onEvent((data as { agent_id: string }).agent_id),
      onEnd: () => {
        connection = null;
        listener.onRefused();
        setTimeout(begin, REFUSED_MS);
      },
    };
    if (shared !== null) shared.join(sink, connection.signal);
    else followDirectly(PAGE_TRANSPORT, url, true, sink, connection.signal);
  };
  const end = () => {
    connection?.abort();
    connection = null;
  };
  document.addEventListener(
    "visibilitychange",
    () => document.visibilityState === "hidden" ? end() : begin(),
  );
  addEventListener("pagehide", end);
  addEventListener("pageshow", begin);
  begin();
}
