/** Entry of `holon.mjs`, the ES module. See `holon.d.ts`. */

import type { HolonApp, HolonAppOptions } from "../holon.d.ts";
import { appAt, PAGE_TRANSPORT } from "./app.ts";
import { baseOfPage } from "./base.ts";
import { canShare, SharedStream } from "./shared_stream.ts";

export { HolonError } from "./error.ts";

/** Makes a line to an app's agent with other settings than the page's. */
export function createHolonApp(options: HolonAppOptions = {}): HolonApp {
  const { bearerToken, fetch } = options;
  const plain = bearerToken === undefined && fetch === undefined;
  const transport = plain ? PAGE_TRANSPORT : {
    fetch: fetch ?? PAGE_TRANSPORT.fetch,
    headers: bearerToken === undefined ? {} : { authorization: `Bearer ${bearerToken}` },
  };
  const base = options.baseUrl === undefined
    ? baseOfPage(document.baseURI)
    : new URL(".", options.baseUrl).href;
  // Another fetch or token may see other events: only the page's own stream is shared.
  return appAt(
    base,
    transport,
    (url) => plain && canShare() ? new SharedStream(transport, url) : null,
  );
}

let app: HolonApp | undefined;
const ofPage = (): HolonApp => app ??= createHolonApp();

/** The line of the app that this page belongs to; made when it is first used. */
export const Holon: HolonApp = Object.freeze<HolonApp>({
  version: "1",
  context: () => ofPage().context(),
  request: (type: string, payload?: unknown, requestId?: string) =>
    ofPage().request(type, payload, requestId),
  events: (options) => ofPage().events(options),
});
