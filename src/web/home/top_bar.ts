import { type ComponentChildren, h } from "preact";
import type { Session } from "./api.ts";
import type { HomeModel } from "./model.ts";
import { PairButton } from "./pairing.ts";
import type { Connection } from "./state.ts";

const CONNECTION_WORDS: Readonly<Record<Connection, string>> = {
  connecting: "Connecting",
  live: "Live",
  offline: "Offline",
  reconnecting: "Reconnecting",
};

/** The name of the place, whether it is live, and the way out. */
export function TopBar(
  { connection, session, isOwner, model }: {
    connection: Connection;
    session: Session;
    isOwner: boolean;
    model: HomeModel;
  },
): ComponentChildren {
  return h("header", { class: "top" }, [
    h("a", { class: "brand", href: "/" }, [h(Mark, null), h("span", null, "Holon")]),
    session === "signed_out"
      ? null
      : h("p", { class: `connection ${connection}`, role: "status" }, [
        h("span", null, CONNECTION_WORDS[connection]),
      ]),
    isOwner ? h(PairButton, { onPaired: () => model.reload() }) : null,
    session === "session"
      ? h("button", { type: "button", onClick: () => model.signOut() }, "Sign out")
      : null,
  ]);
}

function Mark(): ComponentChildren {
  return h("svg", { class: "mark", viewBox: "0 0 32 32", "aria-hidden": "true" }, [
    h("circle", { class: "ring", cx: 16, cy: 16, r: 13 }),
    h("circle", { class: "core", cx: 19.5, cy: 19.5, r: 6 }),
  ]);
}
