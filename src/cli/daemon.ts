/**
 * The running server of a home, as commands use it.
 *
 * @module
 */

import { type ClientAnswer, type ClientRequest, sendRequest, ServerAbsent } from "./client.ts";
import { CliFailure } from "./failure.ts";
import type { HomePaths } from "./home.ts";

/** How to start a server, for sentences about its absence. */
const START_HINT = "Start it with `holon serve`, then run this again.";

/** A request without the socket. */
export type DaemonRequest = Omit<ClientRequest, "socket">;

/** Sends a request; `null` when no server runs on the home. */
export async function tryDaemon(
  paths: HomePaths,
  request: DaemonRequest,
): Promise<ClientAnswer | null> {
  try {
    return await sendRequest({ ...request, socket: paths.socket });
  } catch (error) {
    if (error instanceof ServerAbsent) return null;
    throw error;
  }
}

/**
 * Sends a request and gives the body of its answer.
 *
 * @param examine may throw a better sentence than the answer's own
 * @throws {CliFailure} when no server runs, or with the sentence of a refusal
 */
export async function callDaemon(
  paths: HomePaths,
  request: DaemonRequest,
  examine: (answer: ClientAnswer) => Promise<void> = async () => {},
): Promise<Record<string, unknown>> {
  const answer = await tryDaemon(paths, request);
  if (answer === null) {
    throw new CliFailure(`no server runs on ${paths.home}`, { hint: START_HINT });
  }
  await examine(answer);
  return requireOk(answer);
}

/** The body of a successful answer; a refusal becomes a failure with its sentence. */
export function requireOk({ status, json }: ClientAnswer): Record<string, unknown> {
  const body = typeof json === "object" && json !== null && !Array.isArray(json)
    ? json as Record<string, unknown>
    : null;
  if (status >= 200 && status < 300 && body !== null) return body;
  const sentence = typeof body?.error === "string"
    ? body.error
    : `what listens on the socket answered ${status}, not as Holon does`;
  throw new CliFailure(sentence, typeof body?.hint === "string" ? { hint: body.hint } : {});
}

/** The list under a name in an answer; empty when there is none. */
export function listIn(
  body: Record<string, unknown>,
  name: string,
): readonly Record<string, unknown>[] {
  const value = body[name];
  return Array.isArray(value)
    ? value.filter((item) => typeof item === "object" && item !== null)
    : [];
}

/** A field as text; empty for null and undefined. */
export function textOf(value: unknown): string {
  return value === null || value === undefined
    ? ""
    : typeof value === "string"
    ? value
    : JSON.stringify(value);
}
