/**
 * A connection as the terminal UI uses it.
 *
 * @module
 */

import type { LinkClient } from "../tui/link/client.ts";
import { failureOf, LinkFailure } from "../tui/link/failure.ts";
import type { ServerFacts } from "../tui/state/types.ts";
import { requireOk } from "./client/answer.ts";
import { type Handshake, readHandshake } from "./client/handshake.ts";
import {
  type ClientAnswer,
  type ClientRequest,
  type Connection,
  ServerAbsent,
  ServerRefusal,
} from "./client/types.ts";
import { CliFailure } from "./failure.ts";

/** Makes what the terminal UI works with. */
export function linkTo(connection: Connection): LinkClient {
  const { name } = connection;

  async function send(request: ClientRequest): Promise<ClientAnswer> {
    try {
      return await connection.send(request);
    } catch (error) {
      throw linkFailure(error, name);
    }
  }

  return {
    label: connection.url ?? "local socket",
    remote: connection.kind === "remote",
    url: connection.url,

    async handshake(signal) {
      const answer = await send({ method: "GET", path: "/api/handshake", signal });
      if (answer.status === 401) throw tokenRefused(name);
      const failure = failureOf(answer.status, answer.json);
      if (failure !== null) throw failure;
      try {
        return factsOf(readHandshake(requireOk(answer), name));
      } catch (error) {
        // It answers, and will not speak our protocol the next time either.
        if (error instanceof CliFailure) throw new LinkFailure("foreign", error.message);
        throw error;
      }
    },

    async json(request) {
      const answer = await send(request);
      if (answer.status === 401) throw tokenRefused(name);
      const failure = failureOf(answer.status, answer.json);
      if (failure !== null) throw failure;
      return requireOk(answer);
    },

    async *events({ path, lastEventId, signal, onOpen, onAlive }) {
      try {
        const stream = await connection.stream({ path, lastEventId, signal });
        onOpen();
        for await (const { event, id, data } of stream) {
          onAlive();
          yield { event, id: id ?? "", data };
        }
      } catch (error) {
        throw linkFailure(error, name);
      }
    },
  };
}

function linkFailure(error: unknown, name: string): LinkFailure {
  if (error instanceof LinkFailure) return error;
  if (error instanceof ServerAbsent) {
    return new LinkFailure("absent", "no server runs on this home", { cause: error });
  }
  if (error instanceof ServerRefusal) {
    if (error.status === 401) return tokenRefused(name);
    const said = { error: error.message };
    return failureOf(error.status, said) ?? new LinkFailure("rejected", error.message);
  }
  const sentence = error instanceof Error ? error.message : String(error);
  return new LinkFailure("broken", sentence, { cause: error });
}

function tokenRefused(name: string): LinkFailure {
  return new LinkFailure("refused", `${name} does not take this token`);
}

function factsOf(handshake: Handshake): ServerFacts {
  return {
    version: handshake.version,
    defaultAgent: handshake.defaultAgent,
    url: handshake.listen === null ? handshake.advertiseUrl : urlOf(handshake.listen),
    sharedUrl: handshake.advertiseUrl,
    home: handshake.homeDirectory,
  };
}

/** `ADDRESS:PORT` as a URL that this machine opens; a wildcard is no address to open. */
function urlOf(listen: string): string | null {
  const text = /^https?:\/\//.test(listen) ? listen : `http://${listen}`;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  return url.href.replace(/\/+$/, "");
}
