/** Entry of `holon.mjs` where live reload is on: the same, and pages that load themselves anew. */

import { baseOfPage } from "./base.ts";
import { startLiveReload } from "./reload/start.ts";

export { createHolonApp, Holon, HolonError } from "./module.ts";

startLiveReload(baseOfPage(document.baseURI));
