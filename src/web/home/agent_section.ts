import { type ComponentChildren, h } from "preact";
import type { AgentInfo } from "./api.ts";
import { AppCard } from "./app_card.ts";
import { FirstApp, FirstRunner } from "./lessons.ts";
import { activityOf, type AgentView, matchingApps } from "./state.ts";

/** An agent: how its requests are carried out, and its apps. */
export function AgentSection(
  { view, query }: { view: AgentView; query: string },
): ComponentChildren {
  const { agent, problem } = view;
  const apps = matchingApps(view.apps, query);
  // While one searches, agents without a match only stand in the way.
  if (query !== "" && apps.length === 0) return null;
  const heading = `agent-${agent.id}`;
  return h("section", { class: "agent", "aria-labelledby": heading }, [
    h("header", { class: "agent-head" }, [
      h("h2", { id: heading }, agent.id),
      agent.hasRunner ? h("p", null, "Its runner carries out requests.") : null,
      h(Counts, { agent }),
    ]),
    agent.hasRunner || agent.problem !== null ? null : h(FirstRunner, { agentId: agent.id }),
    agent.problem === null ? null : h("p", { class: "notice bad" }, agent.problem),
    problem === null ? null : h("p", { class: "notice bad" }, problem),
    view.apps.length === 0 && problem === null ? h(FirstApp, { agentId: agent.id }) : h(
      "ul",
      { class: "cards" },
      apps.map((app) =>
        h(AppCard, { key: app.id, app, agentId: agent.id, activity: activityOf(view, app.id) })
      ),
    ),
  ]);
}

function Counts({ agent }: { agent: AgentInfo }): ComponentChildren {
  const { queued, processing } = agent;
  if (queued + processing === 0) return null;
  return h("p", { class: "counts" }, [
    processing > 0 ? h("span", { class: "chip processing" }, `${processing} at work`) : null,
    queued > 0 ? h("span", { class: "chip queued" }, `${queued} waiting`) : null,
  ]);
}
