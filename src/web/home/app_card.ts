import { type ComponentChildren, h } from "preact";
import type { AppInfo } from "./api.ts";
import { Glyph } from "./glyph.ts";

/** What a card shows. */
export interface AppCardProps {
  readonly app: AppInfo;
  readonly agentId: string;
  /** Whether a request of the app waits or is being carried out. */
  readonly activity: "processing" | "queued" | null;
}

/** An app as a card: the whole of it opens the app. */
export function AppCard({ app, agentId, activity }: AppCardProps): ComponentChildren {
  const broken = app.problem !== null;
  const url = app.url ?? `/apps/${encodeURIComponent(agentId)}/${encodeURIComponent(app.id)}/`;
  const name = broken ? app.name : h("a", { href: url }, app.name);
  return h("li", { class: broken ? "card broken" : "card" }, [
    h(Glyph, { seed: `${agentId}/${app.id}`, muted: broken }),
    h("div", { class: "card-text" }, [
      h("h3", null, name),
      broken
        ? h("p", { class: "card-problem" }, app.problem)
        : h("p", null, app.description ?? "No description yet."),
      h("p", { class: "card-foot" }, [
        h("span", { class: `state ${stateClass(broken, activity)}` }, stateWord(broken, activity)),
        h("code", null, app.version === null ? app.id : `v${app.version}`),
      ]),
    ]),
  ]);
}

function stateClass(broken: boolean, activity: AppCardProps["activity"]): string {
  return broken ? "failed" : activity ?? "ready";
}

function stateWord(broken: boolean, activity: AppCardProps["activity"]): string {
  if (broken) return "Needs mending";
  if (activity === "processing") return "Agent at work";
  return activity === "queued" ? "Request waiting" : "Live";
}
