/**
 * The sockets of `holon serve`: its TCP addresses and the home's Unix socket.
 *
 * @module
 */

import { HostError, type Listener, type ListenOptions } from "../host/types.ts";
import { CliFailure, hostErrorWords } from "./failure.ts";
import type { HomePaths } from "./home.ts";
import type { CliIo } from "./io.ts";
import { addressText, type TcpAddress } from "./listen_address.ts";

/** All listeners, open. */
export interface ServeListeners {
  /** Where it really listens, with the port that was taken; the main address comes first. */
  readonly addresses: TcpAddresses;
  /** Counts the connections that are open on all of them. */
  connections(): number;
  /**
   * Stops accepting, lets responses finish for `graceMs`, then cuts the rest.
   *
   * @param leaveSocket for a home that was moved: the runtimes would remove the socket by its path,
   * where another server's may be by now. The process's end closes it
   */
  close(graceMs: number, leaveSocket?: boolean): Promise<void>;
}

/** Addresses, of which the first has the port that all others take too. */
export type TcpAddresses = readonly [TcpAddress, ...TcpAddress[]];

/** How often a free port is asked for where it is to be free on several addresses. */
const TRIES = 8;

/**
 * Opens all; where one fails, none stays open.
 *
 * @throws {CliFailure} with what to do
 */
export async function openListeners(
  io: CliIo,
  paths: HomePaths,
  addresses: TcpAddresses,
  handlers: Pick<ListenOptions, "fetch" | "onError" | "onRefused">,
): Promise<ServeListeners> {
  const unix = await openUnix(io, paths.socket, handlers);
  let tcp: readonly Listener[];
  try {
    tcp = await openTcp(io, addresses, handlers);
  } catch (error) {
    await unix.close(0);
    throw error;
  }
  const [main, ...others] = addresses;
  const port = portOf(tcp[0], main.port);
  return {
    addresses: [{ ...main, port }, ...others.map((other) => ({ ...other, port }))],
    connections: () => [...tcp, unix].reduce((sum, { connections }) => sum + connections, 0),
    close: async (graceMs, leaveSocket = false) => {
      const closing = leaveSocket ? tcp : [...tcp, unix];
      await Promise.all(closing.map((listener) => listener.close(graceMs)));
    },
  };
}

/** Where any port will do, one is taken that is free on every address. */
async function openTcp(
  io: CliIo,
  [main, ...others]: TcpAddresses,
  handlers: Pick<ListenOptions, "fetch" | "onError" | "onRefused">,
): Promise<readonly Listener[]> {
  for (let tries = 1;; tries++) {
    const open: Listener[] = [];
    let address = main;
    try {
      open.push(await io.host.listen({ address, ...handlers }));
      const port = portOf(open[0], main.port);
      for (const other of others) {
        address = { ...other, port };
        open.push(await io.host.listen({ address, ...handlers }));
      }
      return open;
    } catch (error) {
      await Promise.all(open.map((listener) => listener.close(0)));
      const isTaken = error instanceof HostError && error.code === "address_in_use";
      if (main.port === 0 && isTaken && tries < TRIES) continue;
      throw tcpFailure(error, address, address !== main);
    }
  }
}

function portOf(listener: Listener | undefined, asked: number): number {
  return listener?.address.transport === "tcp" ? listener.address.port : asked;
}

async function openUnix(
  io: CliIo,
  path: string,
  handlers: Pick<ListenOptions, "fetch" | "onError" | "onRefused">,
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

/** @param isExtra whether it is an address beside the one that was asked for */
function tcpFailure(error: unknown, address: TcpAddress, isExtra: boolean): unknown {
  if (!(error instanceof HostError)) return error;
  const where = addressText(address);
  switch (error.code) {
    case "address_in_use":
      return new CliFailure(`another program listens on ${where} already`, {
        hint: `${isExtra ? "Holon has to listen there too, for this machine. " : ""}End it, or ` +
          `choose another port: holon serve --port ${otherPort(address.port)}`,
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
