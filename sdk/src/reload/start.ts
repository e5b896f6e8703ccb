import { PAGE_TRANSPORT } from "../app.ts";
import type { Transport } from "../call.ts";
import { follow } from "../follow.ts";
import { setRider } from "../rider.ts";
import { canShare } from "../shared_stream.ts";
import { ReloadGroup } from "./group.ts";
import { ReloadingPage } from "./page.ts";
import { type AppState, stateOf } from "./state.ts";

/** A page that loads both the script and the module starts once. */
const STARTED = Symbol.for("holon.live_reload");

/**
 * Loads this page anew when a file of its app changes, while it is seen; what it missed meanwhile it
 * learns when it is seen again. A page says no by `<script data-holon-reload="off">`.
 *
 * @param base the app's root, with a slash at its end
 */
export function startLiveReload(base: string): void {
  if (STARTED in globalThis || document.querySelector("script[data-holon-reload=off]")) return;
  Object.defineProperty(globalThis, STARTED, { value: true });
  const page = new ReloadingPage(base);
  const app = /\/apps\/([^/]+\/[^/]+)\/$/.exec(new URL(base).pathname)?.[1] ?? "";
  // An app with an origin of its own reaches only what is its own.
  const transport = app === "" ? withReload("only") : PAGE_TRANSPORT;
  const urlOf = (apps: readonly string[]) =>
    new URL(app === "" ? "events" : `../../../api/reload?apps=${apps}`, base).href;
  const onState = (state: AppState) => {
    if (app === "" || state.app === app) page.tell(state);
  };
  const part = canShare()
    ? shared(new ReloadGroup({ app, transport, urlOf, onState }), base)
    : alone(transport, urlOf([app]), onState);
  const look = () => document.visibilityState === "hidden" ? part.leave() : part.join();
  document.addEventListener("visibilitychange", look);
  look();
}

/** What a page takes part in while it is seen. */
interface Part {
  join(): void;
  leave(): void;
}

function shared(group: ReloadGroup, base: string): Part {
  setRider(new URL("events", base).href, (data) => group.ride(data));
  return group;
}

/** Where pages can't share, each that is seen has a stream of its own. */
function alone(transport: Transport, url: string, onState: (state: AppState) => void): Part {
  let connection: AbortController | null = null;
  return {
    join() {
      if (connection !== null) return;
      connection = new AbortController();
      follow({
        transport,
        url,
        after: null,
        reconnect: true,
        signal: connection.signal,
        onOpen: () => {},
        onEvent: () => {},
        onGap: () => {},
        onOther: ({ data }) => onState(stateOf(data)),
      }).catch(() => {
        // Refused: it is off, or the session has ended.
      });
    },
    leave() {
      connection?.abort();
      connection = null;
    },
  };
}

function withReload(wish: "only"): Transport {
  return { ...PAGE_TRANSPORT, headers: { "x-holon-reload": wish } };
}
