/** Entry of `holon.js` where live reload is on: the same, and pages that load themselves anew. */

import "./script.ts";
import { baseOfScript } from "./base.ts";
import { startLiveReload } from "./reload/start.ts";

const script = document.currentScript;
const source = script instanceof HTMLScriptElement ? script.src : undefined;

startLiveReload(baseOfScript(source, document.baseURI));
