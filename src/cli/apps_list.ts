/**
 * `holon apps list`.
 *
 * @module
 */

import { createAppService } from "../apps/service.ts";
import { effectiveAppSettings } from "../config/settings.ts";
import type { AppsListCommand } from "./command.ts";
import { offlineConfig } from "./config_access.ts";
import { listIn, requireOk, textOf, tryDaemon } from "./daemon.ts";
import { defaultAgent, requireDefaultAgent } from "./default_agent.ts";
import { EXIT } from "./failure.ts";
import { type HomePaths, homePaths } from "./home.ts";
import type { CliIo } from "./io.ts";
import { paintFor, printable, printJson, printTable } from "./output.ts";

/** Lists an agent's apps, sound and broken ones: of the running server, else of the folders. */
export async function appsList(command: AppsListCommand, io: CliIo): Promise<number> {
  const paths = await homePaths(io, command.home);
  const agent = command.agent ?? await defaultAgent(io, paths);
  const path = `/api/agents/${encodeURIComponent(agent)}/apps`;
  const answer = await tryDaemon(paths, { method: "GET", path });
  if (command.agent === undefined && answer?.status === 404) {
    await requireDefaultAgent(io, paths, agent);
  }
  if (answer === null) {
    io.err(`holon: no server runs on ${paths.home}; these are the folders of the agent\n`);
  }
  const apps =
    (answer === null ? await inspectOffline(io, paths, agent) : listIn(requireOk(answer), "apps"))
      .map(flatten);
  if (command.json) {
    printJson(io, apps);
  } else if (apps.length === 0) {
    io.out(
      `The agent ${printable(agent)} has no apps yet: make one with \`holon apps new NAME\`\n`,
    );
  } else {
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
  return EXIT.ok;
}

/** One level: the app's own fields beside its folder's name and its problem. */
function flatten(entry: object): Record<string, unknown> {
  const { app, ...rest } = entry as { readonly app?: object | null };
  return { ...app, ...rest };
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
