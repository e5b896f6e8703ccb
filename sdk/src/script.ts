/** Entry of `holon.js`, the classic script: defines `window.Holon`. */

import { appAt, PAGE_TRANSPORT } from "./app.ts";
import { baseOfScript } from "./base.ts";
import { canShare, SharedStream } from "./shared_stream.ts";

const script = document.currentScript;
const source = script instanceof HTMLScriptElement ? script.src : undefined;

// A page that loads the script twice, or brings a stand-in for tests, keeps its first one.
if (!("Holon" in globalThis)) {
  Object.defineProperty(globalThis, "Holon", {
    value: appAt(
      baseOfScript(source, document.baseURI),
      PAGE_TRANSPORT,
      (url) => canShare() ? new SharedStream(PAGE_TRANSPORT, url) : null,
    ),
    enumerable: true,
    configurable: false,
    writable: false,
  });
}
