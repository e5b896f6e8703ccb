/** What the home page knows. */

import type { AgentInfo, AppInfo, RequestInfo, Session } from "./api.ts";
import type { DeviceInfo } from "./api_devices.ts";

/** Whether the page shows what is, or what was. */
export type Connection = "connecting" | "live" | "offline" | "reconnecting";

/** An agent with what belongs to it. */
export interface AgentView {
  readonly agent: AgentInfo;
  readonly apps: readonly AppInfo[];
  readonly requests: readonly RequestInfo[];
  /** Why its apps or requests can't be shown. */
  readonly problem: string | null;
}

/** The whole state; a new object for each change. */
export interface HomeState {
  /** `null` until the first answer. */
  readonly agents: readonly AgentView[] | null;
  readonly connection: Connection;
  readonly session: Session;
  /** Whether this browser may do all. */
  readonly isOwner: boolean;
  /** Who is signed in; empty for those who may not know. */
  readonly devices: readonly DeviceInfo[];
  /** The newest refusal, as a sentence. */
  readonly problem: string | null;
  readonly query: string;
}

/** The state before anything is known. */
export const EMPTY_STATE: HomeState = {
  agents: null,
  connection: "connecting",
  session: "local",
  isOwner: false,
  devices: [],
  problem: null,
  query: "",
};

/** Requests shown. */
const SHOWN = 40;

/** The newest requests of all agents, newest first. */
export function recentRequests(agents: readonly AgentView[]): readonly RequestInfo[] {
  return agents.flatMap((view) => view.requests)
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id))
    .slice(0, SHOWN);
}

/** Agents that have apps, then those that have none; each group by id. */
export function orderedAgents(agents: readonly AgentView[]): readonly AgentView[] {
  const rank = ({ apps }: AgentView) => apps.length === 0 ? 1 : 0;
  return [...agents].sort((a, b) =>
    rank(a) - rank(b) || a.agent.id.localeCompare(b.agent.id, "en")
  );
}

/** Apps whose name, id or description has every word of the query. */
export function matchingApps(apps: readonly AppInfo[], query: string): readonly AppInfo[] {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return apps.filter((app) => {
    const text = `${app.name} ${app.id} ${app.description ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Whether a request of an app waits or is being carried out. */
export function activityOf(view: AgentView, appId: string): "processing" | "queued" | null {
  const own = view.requests.filter((request) => request.origin === `app:${appId}`);
  if (own.some((request) => request.status === "processing")) return "processing";
  return own.some((request) => request.status === "queued") ? "queued" : null;
}
