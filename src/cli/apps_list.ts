/**
 * `holon apps list`.
 *
 * @module
 */

import { createAppService } from "../apps/service.ts";
import { effectiveAppSettings } from "../config/settings.ts";
import { requireOk } from "./client/answer.ts";
import { listIn, textOf } from "./client/fields.ts";
import { openServer, type Server, tryServer } from "./client/server.ts";
import type { AppsListCommand } from "./command.ts";
import { offlineConfig } from "./config_access.ts";
import { runningAddress } from "./daemon.ts";
import { defaultAgent, requireDefaultAgent } from "./default_agent.ts";
import { EXIT } from "./failure.ts";
import { type HomePaths, requireHome } from "./home.ts";
import type { CliIo } from "./io.ts";
import { addressText, listenAddress } from "./listen_address.ts";
import { paintFor, printable, printJson, printTable } from "./output.ts";

/** Lists an agent's apps, sound and broken ones: of the running server, else of the folders. */
export async function appsList(command: AppsListCommand, io: CliIo): Promise<number> {
  const server = await openServer(command, io);
  const agent = command.agent ?? await defaultAgent(io, server);
  const path = `/api/agents/${encodeURIComponent(agent)}/apps`;
  const answer = await tryServer(server, { method: "GET", path });
  if (command.agent === undefined && answer?.status === 404) {
    await requireDefaultAgent(io, server, agent);
  }
  const origin = await originFor(server, io);
  const apps =
    (answer === null ? await offline(io, server, agent) : listIn(requireOk(answer), "apps"))
      .map((entry) => flatten(entry, origin));
  if (command.json) printJson(io, apps);
  else if (command.quiet) apps.forEach((app) => io.out(`${printable(textOf(app.id))}\n`));
  else print(io, agent, apps);
  return EXIT.ok;
}

function print(io: CliIo, agent: string, apps: readonly Record<string, unknown>[]): void {
  if (apps.length === 0) {
    io.out(
      `The agent ${printable(agent)} has no apps yet: make one with \`holon apps new NAME\`\n`,
    );
    return;
  }
  const { red } = paintFor(io);
  const fields = ["id", "name", "version", "url"] as const;
  printTable(io, [
    ["APP", "NAME", "VERSION", "URL"],
    ...apps.filter((app) => textOf(app.problem) === "")
      .map((app) => fields.map((field) => textOf(app[field]))),
  ]);
  for (const app of apps) {
    const problem = textOf(app.problem);
    if (problem !== "") {
      io.out(`${red("broken:")} ${printable(`${textOf(app.id)}: ${problem}`)}\n`);
    }
  }
}

/** One level: the app's own fields, with a whole URL, beside its folder's name and its problem. */
function flatten(entry: object, origin: string): Record<string, unknown> {
  const { app, ...rest } = entry as { readonly app?: object | null };
  const flat: Record<string, unknown> = { ...app, ...rest };
  // A server elsewhere could name any other place.
  return typeof flat.url === "string" && flat.url.startsWith("/")
    ? { ...flat, url: origin + flat.url }
    : flat;
}

/** Where a browser finds the apps: the URL that was dialled, else where the server listens. */
async function originFor(server: Server, io: CliIo): Promise<string> {
  if (server.kind === "remote") return server.connection.url ?? "";
  const running = await runningAddress(server.paths).catch(() => null);
  const address = running ?? addressText(listenAddress({}, io.env));
  return `http://${address.replace(/^(?:0\.0\.0\.0|\[::\])(?=:\d+$)/, "127.0.0.1")}`;
}

async function offline(io: CliIo, server: Server, agent: string): Promise<readonly object[]> {
  if (server.kind === "remote") return [];
  await requireHome(io, server.paths);
  io.err(`holon: no server runs on ${server.paths.home}; these are the folders of the agent\n`);
  return await inspectOffline(io, server.paths, agent);
}

async function inspectOffline(
  io: CliIo,
  paths: HomePaths,
  agent: string,
): Promise<readonly object[]> {
  const { snapshot } = await offlineConfig(io, paths);
  const service = createAppService({
    files: io.host.files,
    clock: io.host.clock,
    agentsFolder: paths.agents,
    manifestRequired: () => effectiveAppSettings(snapshot).manifestRequired,
  });
  return await service.inspect(agent);
}
