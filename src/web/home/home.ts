import { type ComponentChildren, h } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Activity } from "./activity.ts";
import { AgentSection } from "./agent_section.ts";
import { Devices } from "./devices.ts";
import { FirstAgent } from "./lessons.ts";
import type { HomeModel } from "./model.ts";
import {
  type AgentView,
  type HomeState,
  matchingApps,
  orderedAgents,
  recentRequests,
} from "./state.ts";
import { TopBar } from "./top_bar.ts";
import { plural } from "./words.ts";

/** With more apps than this, there is a field to search them. */
const MANY = 6;

/** Relative times are said anew this often. */
const TICK_MS = 10_000;

/** The whole page. */
export function Home({ model }: { model: HomeModel }): ComponentChildren {
  const [state, setState] = useState(model.state);
  useEffect(() => model.subscribe(() => setState(model.state)), [model]);
  const now = useNow();
  return h("div", { class: "page" }, [
    h(TopBar, {
      connection: state.connection,
      session: state.session,
      isOwner: state.isOwner,
      model,
    }),
    h(Notices, { state, model }),
    state.session === "signed_out"
      ? null
      : state.agents === null
      ? h("main", { class: "loading", "aria-busy": "true" }, h("h1", null, "Apps"))
      : h(Content, { state, agents: state.agents, now, model }),
    h("footer", { class: "foot" }, h("a", { href: "/api/docs" }, "API reference")),
  ]);
}

function Content(
  { state, agents, now, model }: {
    state: HomeState;
    agents: readonly AgentView[];
    now: number;
    model: HomeModel;
  },
): ComponentChildren {
  const { query, devices } = state;
  const apps = agents.flatMap((view) => view.apps);
  const names = new Map(
    agents.flatMap(({ agent, apps }) => apps.map((app) => [`${agent.id}/${app.id}`, app.name])),
  );
  const found = agents.reduce((sum, view) => sum + matchingApps(view.apps, query).length, 0);
  return h("main", { class: "columns" }, [
    h("div", { class: "apps" }, [
      h("div", { class: "title" }, [
        h("div", null, [
          h("h1", null, "Apps"),
          h("p", { class: "lead" }, summary(apps.length, agents.length)),
        ]),
        apps.length > MANY ? h(Search, { query, model, found }) : null,
      ]),
      agents.length === 0 ? h(FirstAgent, null) : null,
      query !== "" && found === 0
        ? h("p", { class: "lead" }, `No app has “${query}” in its name or description.`)
        : null,
      ...orderedAgents(agents).map((view) => h(AgentSection, { key: view.agent.id, view, query })),
      devices.length === 0 ? null : h(Devices, { devices, now, model }),
    ]),
    h(Activity, { requests: recentRequests(agents), names, now }),
  ]);
}

function Search(
  { query, model, found }: { query: string; model: HomeModel; found: number },
): ComponentChildren {
  return h("div", { class: "search" }, [
    h("label", { for: "search" }, "Search apps"),
    h("input", {
      id: "search",
      type: "search",
      value: query,
      placeholder: "Search apps",
      autocomplete: "off",
      onInput: (event: InputEvent) => model.search((event.target as HTMLInputElement).value),
    }),
    h("p", { class: "hidden", role: "status" }, query === "" ? "" : plural(found, "app")),
  ]);
}

function Notices({ state, model }: { state: HomeState; model: HomeModel }): ComponentChildren {
  if (state.session === "signed_out") {
    return h("p", { class: "notice", role: "status" }, [
      "You are signed out. ",
      h("a", { href: "/sign-in?next=/" }, "Sign in"),
      " to see your agents.",
    ]);
  }
  if (state.problem === null) return null;
  return h("p", { class: "notice bad", role: "status" }, [
    `${state.problem}. `,
    h("button", { type: "button", onClick: () => model.reload() }, "Try again"),
  ]);
}

function summary(apps: number, agents: number): string {
  if (agents === 0) return "Made by agents, opened by you";
  const count = apps === 0 ? "No apps yet" : plural(apps, "app");
  return agents === 1 ? count : `${count} of ${agents} agents`;
}

function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  // A request that came after the last tick must not lie in the future.
  return Math.max(now, Date.now());
}
