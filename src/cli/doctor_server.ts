/**
 * What `holon doctor` asks of the running server, or of the network where none runs.
 *
 * @module
 */

import { createServer } from "node:net";
import { createAppService } from "../apps/service.ts";
import type { AppInspection } from "../apps/types.ts";
import { isHomeLocked } from "../store/home_lock.ts";
import { VERSION } from "../version.ts";
import { requireOk } from "./client/answer.ts";
import { listIn, textOf } from "./client/fields.ts";
import { type LocalServer, type Server, tryServer } from "./client/server.ts";
import { CliFailure } from "./failure.ts";
import { type Finding, finding } from "./finding.ts";
import type { HomePaths } from "./home.ts";
import { listDirectories } from "./home_entries.ts";
import type { CliIo } from "./io.ts";
import { addressText, listenAddress, type TcpAddress } from "./listen_address.ts";

/** How the server stands. */
export interface ServerState {
  readonly finding: Finding;
  /** Whether it answers on its socket. */
  readonly isRunning: boolean;
  /** Whether it asks for a token; `null` when none runs. */
  readonly tokenRequired: boolean | null;
}

/** Asks the server over its socket. */
export async function checkServer(server: LocalServer): Promise<ServerState> {
  const { paths } = server;
  try {
    const answer = await tryServer(server, {
      method: "GET",
      path: "/api/control/runtime/readiness",
      timeoutMs: 3_000,
    });
    if (answer !== null) {
      const status = requireOk(answer);
      const where = `${textOf(status.http_addr)} (pid ${textOf(status.pid)})`;
      const version = textOf(status.version);
      return {
        finding: version === "" || version === VERSION
          ? finding("server", "ok", `The server runs at ${where}`)
          : finding(
            "server",
            "warning",
            `The server at ${where} runs Holon ${version}, and this program is ${VERSION}`,
            "Start it anew to bring it up to date.",
          ),
        isRunning: true,
        tokenRequired: status.token_required === true,
      };
    }
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    return absent(finding("server", "error", error.message, error.hint));
  }
  if (isHomeLocked(paths.home)) {
    return absent(finding(
      "server",
      "error",
      "A process holds this home, but its socket does not answer",
      "It may be starting or stuck: wait, or end it and start `holon serve` anew.",
    ));
  }
  return absent(finding("server", "note", "No server runs", "`holon serve` starts it."));
}

/** Whether the port of a server that does not run yet is free. */
export async function checkPort(io: CliIo): Promise<Finding> {
  const address = listenAddress({}, io.env);
  const code = await tryPort(address);
  const where = addressText(address);
  if (code === null) return finding("port", "ok", `${where} is free`);
  if (code === "EADDRINUSE") {
    return finding(
      "port",
      "warning",
      `${where} is taken by another program`,
      "Choose another port: holon serve --port 7879",
    );
  }
  return finding("port", "warning", `${where} can't be listened on (${code})`);
}

/** The agents and what is wrong with their apps: as the server tells, else by their folders. */
export async function checkAgents(
  io: CliIo,
  server: Server,
  isRunning: boolean,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  const paths = isRunning || server.kind === "remote" ? null : server.paths;
  const agents = paths === null ? await agentsOnline(server) : await agentsOffline(io, paths);
  let apps = 0;
  for (const { id, problem } of agents) {
    if (problem !== "") found.push(finding("agents", "warning", `The agent ${id}: ${problem}`));
    const inspections = paths === null
      ? await appsOnline(server, id)
      : await appsOffline(io, paths, id);
    for (const app of inspections) {
      if (app.problem === null) apps += 1;
      else found.push(finding("apps", "warning", `The app ${id}/${app.id}: ${app.problem}`));
    }
  }
  const counts = `${agents.length} agent${agents.length === 1 ? "" : "s"}, ` +
    `${apps} sound app${apps === 1 ? "" : "s"}`;
  return [finding("agents", "ok", counts), ...found];
}

function absent(found: Finding): ServerState {
  return { finding: found, isRunning: false, tokenRequired: null };
}

interface AgentFinding {
  readonly id: string;
  readonly problem: string;
}

async function agentsOnline(server: Server): Promise<readonly AgentFinding[]> {
  const answer = await tryServer(server, { method: "GET", path: "/api/agents" });
  return answer === null ? [] : listIn(requireOk(answer), "agents").map((agent) => ({
    id: textOf(agent.id ?? agent.agent_id),
    problem: textOf(agent.problem),
  }));
}

async function agentsOffline(io: CliIo, paths: HomePaths): Promise<readonly AgentFinding[]> {
  const ids = await listDirectories(io, paths.agents);
  return ids.map((id) => ({ id, problem: "" }));
}

type AppFinding = Pick<AppInspection, "id" | "problem">;

async function appsOnline(server: Server, agent: string): Promise<readonly AppFinding[]> {
  const path = `/api/agents/${encodeURIComponent(agent)}/apps`;
  const answer = await tryServer(server, { method: "GET", path });
  if (answer === null || answer.status >= 400) return [];
  return listIn(requireOk(answer), "apps").map((app) => ({
    id: textOf(app.id),
    problem: textOf(app.problem) || null,
  }));
}

async function appsOffline(
  io: CliIo,
  paths: HomePaths,
  agent: string,
): Promise<readonly AppFinding[]> {
  const service = createAppService({
    files: io.host.files,
    clock: io.host.clock,
    agentsFolder: paths.agents,
    manifestRequired: () => false,
  });
  try {
    return await service.inspect(agent);
  } catch (error) {
    return [{ id: "*", problem: error instanceof Error ? error.message : String(error) }];
  }
}

/** Listens for a moment; the error's code, or `null` when it worked. */
function tryPort({ host, port }: TcpAddress): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve((error as { code?: string }).code ?? "unknown"));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
