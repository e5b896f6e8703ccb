/**
 * The running server of a home, as commands that are only about this machine use it.
 *
 * @module
 */

import { requireOk } from "./client/answer.ts";
import { textOf } from "./client/fields.ts";
import { callServer, localServer, tryServer } from "./client/server.ts";
import type { ClientAnswer, ClientRequest } from "./client/types.ts";
import type { HomePaths } from "./home.ts";

/** Sends a request; `null` when no server runs on the home. */
export async function tryDaemon(
  paths: HomePaths,
  request: ClientRequest,
): Promise<ClientAnswer | null> {
  return await tryServer(localServer(paths), request);
}

/**
 * Sends a request and gives the body of its answer.
 *
 * @throws {CliFailure} when no server runs, or with the sentence of a refusal
 */
export async function callDaemon(
  paths: HomePaths,
  request: ClientRequest,
): Promise<Record<string, unknown>> {
  return await callServer(localServer(paths), request);
}

/**
 * `host:port` of the running server; `null` when none runs.
 *
 * @throws {CliFailure} when what runs there can't be asked
 */
export async function runningAddress(paths: HomePaths): Promise<string | null> {
  const path = "/api/control/runtime/readiness";
  const answer = await tryDaemon(paths, { method: "GET", path });
  return answer === null ? null : textOf(requireOk(answer).http_addr);
}
