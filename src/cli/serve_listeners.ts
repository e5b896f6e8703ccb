/**
 * The two sockets of `holon serve`: one TCP address and the home's Unix socket.
 *
 * @module
 */

import { HostError, type Listener, type ListenOptions } from "../host/types.ts";
import { CliFailure, hostErrorWords } from "./failure.ts";
import type { HomePaths } from "./home.ts";
import type { CliIo } from "./io.ts";
import { addressText, type TcpAddress } from "./listen_address.ts";

/** Both listeners, open. */
export interface ServeListeners {
  /** Where it really listens: the port that was taken. */
  readonly address: TcpAddress;
  /** Counts the connections that are open on both. */
  connections(): number;
  /**
   * Stops accepting, lets responses finish for `graceMs`, then cuts the rest.
   *
   * @param leaveSocket for a home that was moved: the runtimes would remove the socket by its path,
   * where another server's may be by now. The process's end closes it
   */
  close(graceMs: number, leaveSocket?: boolean): Promise<void>;
}

/**
 * Opens both; where one fails, neither stays open.
 *
 * @throws {CliFailure} with what to do
 */
export async function openListeners(
  io: CliIo,
  paths: HomePaths,
  address: TcpAddress,
  handlers: Pick<ListenOptions, "fetch" | "onError">,
): Promise<ServeListeners> {
  const unix = await openUnix(io, paths.socket, handlers);
  let tcp: Listener;
  try {
    tcp = await io.host.listen({ address, ...handlers });
  } catch (error) {
    await unix.close(0);
    throw tcpFailure(error, address);
  }
  const taken = tcp.address.transport === "tcp" ? tcp.address : address;
  return {
    address: { transport: "tcp", host: taken.host, port: taken.port },
    connections: () => tcp.connections + unix.connections,
    close: async (graceMs, leaveSocket = false) => {
      await Promise.all([tcp.close(graceMs), leaveSocket ? null : unix.close(graceMs)]);
    },
  };
}

async function openUnix(
  io: CliIo,
  path: string,
  handlers: Pick<ListenOptions, "fetch" | "onError">,
): Promise<Listener> {
  try {
    return await io.host.listen({ address: { transport: "unix", path }, ...handlers });
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.code === "invalid_path") {
      throw new CliFailure(`the home's path is too long for its socket ${path}`, {
        hint: "Choose a home with a shorter path, with --home DIR.",
        cause: error,
      });
    }
    throw new CliFailure(`the socket ${path} can't be made: ${hostErrorWords(error)}`, {
      hint: "Remove what is there in its place, and make sure that the home is writable.",
      cause: error,
    });
  }
}

function tcpFailure(error: unknown, address: TcpAddress): unknown {
  if (!(error instanceof HostError)) return error;
  const where = addressText(address);
  switch (error.code) {
    case "address_in_use":
      return new CliFailure(`another program listens on ${where} already`, {
        hint: `End it, or choose another port: holon serve --port ${otherPort(address.port)}`,
        cause: error,
      });
    case "denied":
      return new CliFailure(`this user may not listen on ${where}`, {
        hint: "Choose a port from 1024 up, e.g. holon serve --port 7878",
        cause: error,
      });
    default:
      return new CliFailure(`${where} is no address of this machine that can be listened on`, {
        hint: "Choose another one, e.g. holon serve --listen 127.0.0.1:7878",
        cause: error,
      });
  }
}

function otherPort(port: number): number {
  return port >= 1024 && port < 65_535 ? port + 1 : 7878;
}
