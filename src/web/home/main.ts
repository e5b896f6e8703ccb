/** Entry of the home page. */

import { h, render } from "preact";
import { Home } from "./home.ts";
import { HomeModel } from "./model.ts";

const model = new HomeModel();
render(h(Home, { model }), document.getElementById("root")!);
model.start();
