/**
 * Changing settings: through the running server where there is one, else in the file.
 *
 * @module
 */

import { type ConfigDocument, readDocument, withValue } from "../config/document.ts";
import { readConfigFile, writeConfigFile } from "../config/file.ts";
import type { ConfigKey } from "../config/schema.ts";
import type { ConfigSnapshot } from "../config/settings.ts";
import { isHomeLocked } from "../store/home_lock.ts";
import { requireOk } from "./client/answer.ts";
import { listIn, textOf } from "./client/fields.ts";
import { type Server, tryServer } from "./client/server.ts";
import { CliFailure } from "./failure.ts";
import type { HomePaths } from "./home.ts";
import type { CliIo } from "./io.ts";

const CONFIG_ROUTE = "/api/control/runtime/config";
const RELOAD_TIMEOUT_MS = 5_000;

/** Where a change went. */
export type AppliedVia = "daemon_api" | "offline_store";

/** A change that was saved. */
export interface AppliedChange {
  readonly via: AppliedVia;
  /** Whether it takes effect only when the server starts again. */
  readonly needsRestart: boolean;
}

/** The server's answer about its settings; `null` when no server with such an API runs here. */
export async function serverConfig(server: Server): Promise<Record<string, unknown> | null> {
  const answer = await tryServer(server, { method: "GET", path: CONFIG_ROUTE });
  if (answer === null || (answer.status === 404 && server.kind === "local")) return null;
  return requireOk(answer);
}

/** The entries of `runtime_surface.keys`, by key. */
export function surfaceKeys(
  body: Record<string, unknown>,
): ReadonlyMap<string, Record<string, unknown>> {
  const surface = body.runtime_surface;
  const keys = typeof surface === "object" && surface !== null
    ? listIn(surface as Record<string, unknown>, "keys")
    : [];
  return new Map(keys.map((entry) => [textOf(entry.key), entry]));
}

/** The document of the home's `config.json` and what it comes to. */
export async function offlineConfig(
  io: CliIo,
  paths: HomePaths,
): Promise<{ readonly document: ConfigDocument; readonly snapshot: ConfigSnapshot }> {
  const document = await readConfigFile(io.host.files, paths.config);
  const reading = readDocument(document);
  if (!reading.ok) throw unsoundFile(reading.problem);
  return { document, snapshot: reading.snapshot };
}

/**
 * Sets a key, or unsets it for `undefined`. A server that refuses or can't be asked ends it: the
 * file is written only where no server runs (`facts/holon.md` §g), and never for one elsewhere.
 *
 * @throws {CliFailure} with the server's reason
 */
export async function changeSetting(
  io: CliIo,
  server: Server,
  key: ConfigKey,
  value: unknown,
): Promise<AppliedChange> {
  const needsRestart = key.applies === "restart";
  if (await serverConfig(server) === null && server.kind === "local") {
    refuseWhileLocked(server.paths);
    await writeOffline(io, server.paths, key, value);
    return { via: "offline_store", needsRestart: false };
  }
  const update = value === undefined ? { key: key.name, unset: true } : { key: key.name, value };
  const answer = await tryServer(server, {
    method: "PATCH",
    path: CONFIG_ROUTE,
    body: { updates: [update] },
  });
  if (answer === null) throw new CliFailure("the server ended meanwhile; nothing was changed");
  const body = requireOk(answer);
  const result = listIn(body, "results")[0];
  if (result?.effect !== "accepted_reload_scheduled" && !isRestart(result)) {
    throw new CliFailure(textOf(result?.reason) || "the server refused the change", {
      hint: "Nothing was changed.",
    });
  }
  if (!needsRestart) await awaitReload(server, body);
  return { via: "daemon_api", needsRestart: needsRestart || isRestart(result) };
}

/** A server that is just starting has read the file already and would not see the change. */
function refuseWhileLocked(paths: HomePaths): void {
  if (!isHomeLocked(paths.home)) return;
  throw new CliFailure("a server holds this home, but its socket does not answer", {
    hint: "It may be starting or ending: try again in a moment. Nothing was changed.",
  });
}

async function writeOffline(
  io: CliIo,
  paths: HomePaths,
  key: ConfigKey,
  value: unknown,
): Promise<void> {
  const { files } = io.host;
  await files.makeDirectory(paths.home, 0o700);
  const next = withValue(await readConfigFile(files, paths.config), key, value);
  const reading = readDocument(next);
  if (!reading.ok) throw unsoundFile(reading.problem);
  await writeConfigFile(files, paths.config, next);
}

/** Waits until the server uses what it saved, so that the next request sees it. */
async function awaitReload(server: Server, body: Record<string, unknown>): Promise<void> {
  const wanted = generation(body, "requested_generation");
  const deadline = Date.now() + RELOAD_TIMEOUT_MS;
  let latest: Record<string, unknown> | null = body;
  while (latest !== null && Date.now() < deadline) {
    if (generation(latest, "completed_generation") >= wanted) {
      const reload = reloadOf(latest);
      if (reload.state !== "failed") return;
      throw new CliFailure(
        `the change is saved, but the server could not use it: ${textOf(reload.last_error)}`,
        { hint: "The server goes on with the old settings." },
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    latest = await serverConfig(server);
  }
}

function reloadOf(body: Record<string, unknown>): Record<string, unknown> {
  const reload = body.reload;
  return typeof reload === "object" && reload !== null ? reload as Record<string, unknown> : {};
}

function generation(body: Record<string, unknown>, name: string): number {
  return Number(reloadOf(body)[name] ?? 0);
}

function isRestart(result: Record<string, unknown> | undefined): boolean {
  return result?.effect === "accepted_requires_restart";
}

function unsoundFile(problem: string): CliFailure {
  return new CliFailure(`config.json is not sound: ${problem}`, {
    hint: "Mend that key with `holon config set` or `unset`, or in the file.",
  });
}
