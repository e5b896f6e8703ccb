/**
 * `holon apps new`.
 *
 * @module
 */

import { join } from "node:path";
import type { TemplateName } from "../apps/templates_built.ts";
import { requireSegment } from "../identifiers.ts";
import type { AppsNewCommand } from "./command.ts";
import { localServer } from "./client/server.ts";
import { runningAddress } from "./daemon.ts";
import { defaultAgent, hasAgent, requireDefaultAgent } from "./default_agent.ts";
import { CliFailure, EXIT } from "./failure.ts";
import { prepareHome } from "./first_run.ts";
import type { HomePaths } from "./home.ts";
import type { CliIo } from "./io.ts";
import { addressText, listenAddress } from "./listen_address.ts";
import { printJson } from "./output.ts";
import { writeApp } from "./write_app.ts";

/** Makes an app from a template; a running server serves it at once. */
export async function appsNew(command: AppsNewCommand, io: CliIo): Promise<number> {
  const id = requireSegment(command.name, "The app id");
  const named = command.agent === undefined
    ? undefined
    : requireSegment(command.agent, "The agent id");
  const paths = (await prepareHome(io, command.home)).paths;
  const agent = named ?? await defaultAgent(io, localServer(paths));
  if (named === undefined) await requireDefaultAgent(io, localServer(paths), agent);
  else await requireAgent(io, paths, agent);
  const folder = await writeApp({
    files: io.host.files,
    appsFolder: join(paths.agents, agent, "apps"),
    id,
    template: command.template as TemplateName,
  });
  const running = await runningAddress(paths);
  const origin = `http://${running ?? addressText(listenAddress({}, io.env))}`;
  const url = `${origin}/apps/${agent}/${id}/`;
  if (command.json) {
    printJson(io, { agent, id, folder, url, running: running !== null });
  } else {
    io.out(`Made ${folder}\n`);
    io.out(running === null ? `Start \`holon serve\`, then open ${url}\n` : `Open ${url}\n`);
  }
  return EXIT.ok;
}

async function requireAgent(io: CliIo, paths: HomePaths, agent: string): Promise<void> {
  if (await hasAgent(io, paths, agent)) return;
  throw new CliFailure(`there is no agent ${agent}`, {
    hint: `Make it with \`holon agents create ${agent}\`.`,
  });
}
