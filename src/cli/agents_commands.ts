/**
 * `holon agents list | create`.
 *
 * @module
 */

import { join } from "node:path";
import { HostError } from "../host/types.ts";
import { requireSegment } from "../identifiers.ts";
import type { AgentsCreateCommand, AgentsListCommand } from "./command.ts";
import { requireOk } from "./client/answer.ts";
import { listIn, textOf } from "./client/fields.ts";
import { callServer, openServer, type RemoteServer, tryServer } from "./client/server.ts";
import { CliFailure, EXIT, hostErrorWords } from "./failure.ts";
import { requireHome } from "./home.ts";
import { listDirectories } from "./home_entries.ts";
import type { CliIo } from "./io.ts";
import { printable, printJson, printTable } from "./output.ts";

/** Lists the agents: of the running server, else the folders of the home. */
export async function agentsList(command: AgentsListCommand, io: CliIo): Promise<number> {
  const server = await openServer(command, io);
  const answer = await tryServer(server, { method: "GET", path: "/api/agents" });
  if (answer === null && server.kind === "local") {
    await requireHome(io, server.paths);
    const ids = await listDirectories(io, server.paths.agents);
    io.err(`holon: no server runs on ${server.paths.home}; these are the folders in agents/\n`);
    if (command.json) printJson(io, ids.map((id) => ({ id })));
    else ids.forEach((id) => io.out(`${id}\n`));
    return EXIT.ok;
  }
  const agents = answer === null ? [] : listIn(requireOk(answer), "agents");
  if (command.json) {
    printJson(io, agents);
    return EXIT.ok;
  }
  if (command.quiet) {
    agents.forEach((agent) => io.out(`${printable(textOf(agent.id ?? agent.agent_id))}\n`));
    return EXIT.ok;
  }
  printTable(io, [
    ["AGENT", "RUNNER", "WAITING", "PROBLEM"],
    ...agents.map((agent) => [
      textOf(agent.id ?? agent.agent_id),
      runnerText(agent.runner),
      textOf((agent.queue as Record<string, unknown> | undefined)?.queued),
      textOf(agent.problem),
    ]),
  ]);
  return EXIT.ok;
}

/** Makes an agent: its folder here, which a running server finds at once, or on a server elsewhere. */
export async function agentsCreate(command: AgentsCreateCommand, io: CliIo): Promise<number> {
  const id = requireSegment(command.id, "The agent id");
  const server = await openServer(command, io);
  if (server.kind === "remote") return await createThere(command, io, server, id);
  const { paths } = server;
  const folder = join(paths.agents, id);
  const { files } = io.host;
  try {
    if (await exists(io, folder)) {
      throw new CliFailure(`the agent ${id} exists already`, { hint: `It is in ${folder}` });
    }
    await files.makeDirectory(paths.home, 0o700);
    await files.makeDirectory(paths.agents, 0o700);
    await files.makeDirectory(folder, 0o700);
    await files.makeDirectory(join(folder, "apps"), 0o700);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new CliFailure(`the agent's folder can't be made: ${hostErrorWords(error)}`, {
      cause: error,
    });
  }
  if (command.json) printJson(io, { id, folder });
  else if (!command.quiet) {
    io.out(`Made the agent ${id}: put its apps into ${join(folder, "apps")}\n`);
  }
  return EXIT.ok;
}

async function createThere(
  { json, quiet }: AgentsCreateCommand,
  io: CliIo,
  server: RemoteServer,
  id: string,
): Promise<number> {
  const body = await callServer(server, { method: "POST", path: "/api/agents", body: { id } });
  if (body.created === false) {
    throw new CliFailure(`${server.connection.name} has an agent ${id} already`);
  }
  if (json) printJson(io, { id, server: server.connection.url });
  else if (!quiet) io.out(`Made the agent ${id} on ${server.connection.name}\n`);
  return EXIT.ok;
}

async function exists(io: CliIo, path: string): Promise<boolean> {
  try {
    await io.host.files.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof HostError && error.code === "not_found") return false;
    throw error;
  }
}

function runnerText(runner: unknown): string {
  if (typeof runner !== "object" || runner === null) return "none (waits for a worker)";
  const { command } = runner as { readonly command?: unknown };
  return Array.isArray(command) ? command.join(" ") : "yes";
}
