/** Entry of the API reference. */

import { h, render } from "preact";
import { fetchDocument } from "./api.ts";
import { Docs } from "./docs.ts";

render(h(Docs, { load: fetchDocument }), document.getElementById("root")!);
