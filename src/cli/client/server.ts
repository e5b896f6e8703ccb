/**
 * The server that a command talks to.
 *
 * @module
 */

import { CliFailure, EXIT } from "../failure.ts";
import { type HomePaths, homePaths } from "../home.ts";
import type { CliIo } from "../io.ts";
import { requireOk } from "./answer.ts";
import { localConnection, remoteConnection } from "./connection.ts";
import { type Handshake, readHandshake, shakeHands, versionNote } from "./handshake.ts";
import { type RemoteOptions, remoteTarget } from "./remote_options.ts";
import {
  type ClientAnswer,
  type ClientRequest,
  type ClientTimeouts,
  type Connection,
  ServerAbsent,
} from "./types.ts";

/** How to start a server, for sentences about its absence. */
const START_HINT = "Start it with `holon serve` or `holon daemon start`, then run this again.";

/** What a command that talks to a server takes from its command line. */
export interface ServerOptions extends RemoteOptions {
  readonly home?: string | undefined;
  /** Seconds until an answer begins. */
  readonly timeout?: number | undefined;
}

/** A server, of this machine's home or elsewhere. */
export type Server = LocalServer | RemoteServer;

/** The server of a home; it may not run. */
export interface LocalServer {
  readonly kind: "local";
  readonly paths: HomePaths;
  readonly connection: Connection;
}

/** A server elsewhere, once both have found that they understand each other. */
export interface RemoteServer {
  readonly kind: "remote";
  readonly connection: Connection;
  readonly handshake: Handshake;
}

/** The server of a home. */
export function localServer(paths: HomePaths, timeouts: Partial<ClientTimeouts> = {}): LocalServer {
  return { kind: "local", paths, connection: localConnection(paths, timeouts) };
}

/**
 * The server that the options mean, as {@linkcode findServer} gives it; one of this machine that
 * runs was asked for its protocol, too.
 *
 * @throws {CliFailure} as that, and when the server of this machine speaks another protocol
 */
export async function openServer(options: ServerOptions, io: CliIo): Promise<Server> {
  const server = await findServer(options, io);
  if (server.kind === "local") await greet(server.connection, io);
  return server;
}

/**
 * The server that the options mean. With `--connect` (or a profile) nothing of this machine is
 * used: no socket, no home, no token of the environment.
 *
 * @throws {CliFailure} with exit code 2 when the options don't fit; with 1 when a server elsewhere
 * can't be reached, is none, or speaks another protocol
 */
export async function findServer(options: ServerOptions, io: CliIo): Promise<Server> {
  const target = await remoteTarget(options, io);
  const timeouts = options.timeout === undefined ? {} : { openMs: options.timeout * 1000 };
  if (target === null) {
    return localServer(await homePaths(io, options.home), timeouts);
  }
  if (options.home !== undefined) {
    throw new CliFailure("--home is for this machine, and --connect leads elsewhere", {
      hint: "Give one of them.",
      exitCode: EXIT.usage,
    });
  }
  const connection = remoteConnection(target.url, target.token, timeouts);
  const handshake = await shakeHands(connection);
  const note = versionNote(handshake, connection.name);
  if (note !== null) io.err(`holon: ${note}\n`);
  return { kind: "remote", connection, handshake };
}

/** Sends a request; `null` when no server runs on the home, which a server elsewhere never gives. */
export async function tryServer(
  { connection }: Pick<Server, "connection">,
  request: ClientRequest,
): Promise<ClientAnswer | null> {
  try {
    return await connection.send(request);
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
export async function callServer(
  server: Server,
  request: ClientRequest,
  examine: (answer: ClientAnswer) => Promise<void> = async () => {},
): Promise<Record<string, unknown>> {
  const answer = await tryServer(server, request);
  if (answer === null) throw absentServer(server);
  await examine(answer);
  return requireOk(answer);
}

/** The program may be newer than the server that runs; what answers otherwise is told later. */
async function greet(connection: Connection, io: CliIo): Promise<void> {
  const answer = await tryServer({ connection }, { method: "GET", path: "/api/handshake" });
  const body = answer?.json;
  if (answer?.status !== 200 || typeof body !== "object" || body === null) return;
  if (!("protocol" in body)) return;
  const note = versionNote(readHandshake({ ...body }, connection.name), connection.name);
  if (note !== null) io.err(`holon: ${note}\n`);
}

/** For a command that needs a server where none runs. */
export function absentServer(server: Server): CliFailure {
  const home = server.kind === "local" ? server.paths.home : server.connection.name;
  return new CliFailure(`no server runs on ${home}`, { hint: START_HINT });
}
