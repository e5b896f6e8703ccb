/**
 * What a server can do for its clients, by the names of the control protocol.
 *
 * @module
 */

import type { Route } from "../http/route.ts";

const AGENT = "/api/agents/:agent";
const MESSAGES = `${AGENT}/messages`;
const RUNTIME = "/api/control/runtime";

/**
 * The routes behind each name. Of upstream's names those are left out that stand for what Holon
 * doesn't have, such as transcripts, briefs, tasks and timers.
 */
const CAPABILITIES: readonly (readonly [name: string, ...routes: string[]])[] = [
  ["agents.list", "GET /api/agents"],
  ["agents.create", "POST /api/agents"],
  ["agents.state", `GET ${AGENT}/state`],
  ["agents.events", `GET ${AGENT}/events/stream`],
  ["events.stream", "GET /api/events/stream"],
  ["apps.list", `GET ${AGENT}/apps`],
  ["messages.list", `GET ${MESSAGES}`, `GET ${MESSAGES}/:message`],
  ["messages.send", `POST ${MESSAGES}`, `POST ${MESSAGES}/:message/cancel`],
  ["messages.work", `POST ${MESSAGES}/claim`, `POST ${MESSAGES}/:message/ack`],
  ["runtime.config", `GET ${RUNTIME}/config`, `PATCH ${RUNTIME}/config`],
  ["runtime.status", `GET ${RUNTIME}/status`],
  ["runtime.shutdown", `POST ${RUNTIME}/shutdown`],
  ["auth.sessions", "GET /api/auth/sessions", "DELETE /api/auth/sessions/:session"],
  ["auth.tokens", "GET /api/auth/tokens", "POST /api/auth/tokens"],
  // `holon tui --connect` needs these.
  ["tui.remote", "GET /api/agents", `GET ${AGENT}/state`, `GET ${AGENT}/events/stream`],
];

/** The names whose routes are all there. */
export function capabilitiesOf(routes: readonly Pick<Route, "method" | "path">[]): string[] {
  const there = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  return CAPABILITIES.filter(([, ...needed]) => needed.every((route) => there.has(route)))
    .map(([name]) => name);
}
