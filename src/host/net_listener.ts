/**
 * Listens on one TCP address or one Unix socket and serves HTTP/1.1 there.
 *
 * The server is our own, over `node:net`, which behaves alike on the three runtimes: their HTTP
 * servers differ in what they do to targets, hosts, lengths, half-closed clients and time-outs
 * (`facts/runtimes.md` §D).
 *
 * @module
 */

import { chmodSync, lstatSync, unlinkSync } from "node:fs";
import { Buffer } from "node:buffer";
import { connect, createServer, type Server, type Socket } from "node:net";
import { hostError } from "./host_error.ts";
import { Arrivals } from "./http1/arrivals.ts";
import { Connection, type Endpoints } from "./http1/connection.ts";
import type { ConnectionServer } from "./http1/connection_server.ts";
import { FieldsMemory } from "./http1/fields_memory.ts";
import { DEFAULT_LIMITS } from "./http1/limits.ts";
import { Sweep } from "./http1/sweep.ts";
import { connectionShare, openFilesLimit } from "./open_files.ts";
import {
  type Clock,
  HostError,
  type ListenAddress,
  type Listener,
  type ListenOptions,
  type RefusedRequest,
  type SocketAddress,
} from "./types.ts";

/** Longest path of a Unix socket, in bytes: 108 with the final NUL, 104 on macOS. */
const MAX_SOCKET_PATH = 107;
/** Connections over the limit that are told so; more are cut at once. */
const REFUSED_AT_ONCE = 64;

/** Connections of all listeners, which share the process's descriptors. */
const shared = { connections: 0, ...connectionShare(null) };

/** What a listener needs besides its options. */
export interface ListenerHost {
  readonly clock: Clock;
  /** Whether small files may be read synchronously; asked for each response. */
  readonly readAtOnce: () => boolean;
}

/**
 * Starts to listen.
 *
 * @throws {HostError} `address_in_use`, `denied`, or `invalid_path` for a socket path that is too
 * long
 */
export async function listen(options: ListenOptions, host: ListenerHost): Promise<Listener> {
  const listener = new NetListener(options, host);
  await listener.start();
  return listener;
}

class NetListener implements Listener {
  readonly #options: ListenOptions;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  readonly #context: ConnectionServer;
  readonly #sweep: Sweep;
  #address: ListenAddress;
  #closing = false;
  #onEmpty: (() => void) | null = null;

  constructor(options: ListenOptions, host: ListenerHost) {
    this.#options = options;
    this.#address = options.address;
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#context = {
      fetch: options.fetch,
      limits,
      clock: host.clock,
      fields: new FieldsMemory(),
      arrivals: new Arrivals(),
      onError: (error) => report(options, error),
      onRefused: (refused) => tell(options, refused),
      readAtOnce: host.readAtOnce,
      closing: () => this.#closing,
      removed: (connection) => this.#removed(connection),
    };
    Object.assign(shared, connectionShare(openFilesLimit()));
    this.#sweep = new Sweep(this.#connections, limits, host.clock);
    this.#server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true });
    this.#server.on("connection", (socket: Socket) => this.#accept(socket));
  }

  get address(): ListenAddress {
    return this.#address;
  }

  get connections(): number {
    return this.#connections.size;
  }

  async start(): Promise<void> {
    const { address } = this.#options;
    if (address.transport === "tcp") {
      await this.#bind({ host: address.host, port: address.port });
      const bound = this.#server.address();
      if (bound !== null && typeof bound === "object") {
        this.#address = { transport: "tcp", host: bound.address, port: bound.port };
      }
      return;
    }
    const { path } = address;
    if (Buffer.byteLength(path) > MAX_SOCKET_PATH) {
      throw new HostError(
        "invalid_path",
        `The socket path ${path} is longer than ${MAX_SOCKET_PATH} bytes; use a shorter home path`,
      );
    }
    try {
      await this.#bind({ path });
    } catch (error) {
      const busy = error instanceof HostError && error.code === "address_in_use";
      if (!busy || !await isStale(path)) throw error;
      unlinkSync(path);
      await this.#bind({ path });
    }
    // Its directory is 0700, so nobody could come in between.
    chmodSync(path, 0o600);
  }

  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    const stopped = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#connections.forEach((connection) => connection.shutdown());
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
      if (this.#connections.size === 0) resolve();
    });
    const timer = setTimeout(
      () => this.#connections.forEach((connection) => connection.cut()),
      graceMs,
    );
    await empty;
    clearTimeout(timer);
    this.#sweep.stop();
    await stopped;
    if (this.#address.transport === "unix") removeQuietly(this.#address.path);
  }

  #bind(where: { host: string; port: number } | { path: string }): Promise<void> {
    const name = "path" in where ? where.path : `${where.host}:${where.port}`;
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        this.#server.off("listening", succeed);
        reject(hostError(error, `Listening on ${name}`));
      };
      const succeed = () => {
        this.#server.off("error", fail);
        // Accepting may fail later on, for want of descriptors: that ends no server.
        this.#server.on("error", this.#context.onError);
        resolve();
      };
      this.#server.once("error", fail);
      this.#server.once("listening", succeed);
      try {
        this.#server.listen({ ...where, exclusive: true, backlog: shared.backlog });
      } catch (error) {
        fail(error);
      }
    });
  }

  #accept(socket: Socket): void {
    if (this.#excess() >= 0) this.#makeRoom();
    const over = this.#excess();
    if (this.#closing || over >= Math.min(REFUSED_AT_ONCE, shared.most / 4)) {
      socket.on("error", () => {});
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, this.#endpointsOf(socket), this.#context);
    this.#connections.add(connection);
    shared.connections++;
    this.#sweep.start();
    if (over < 0) return;
    connection.refuse({
      code: "service_unavailable",
      message: "Holon has as many connections as it may have; try again in a moment",
    });
  }

  /** How many connections there are over the limit; negative while there is room. */
  #excess(): number {
    const ofListener = this.#connections.size - this.#context.limits.maxConnections;
    return Math.max(ofListener, shared.connections - shared.most);
  }

  /**
   * Cuts the connection that has waited longest for something to do: clients that connect and send
   * nothing must not keep out one that does.
   */
  #makeRoom(): void {
    for (const connection of this.#connections) {
      if (connection.awaitsClient) return connection.cut();
    }
  }

  #endpointsOf(socket: Socket): Endpoints {
    if (this.#address.transport === "unix") return { transport: "unix", peer: null, local: null };
    return {
      transport: "tcp",
      peer: socketAddress(socket.remoteAddress, socket.remotePort),
      local: socketAddress(socket.localAddress, socket.localPort),
    };
  }

  #removed(connection: Connection): void {
    if (this.#connections.delete(connection)) shared.connections--;
    if (this.#connections.size > 0) return;
    this.#sweep.stop();
    this.#onEmpty?.();
  }
}

/** An address with IPv4 in its own form, also where it came in mapped into IPv6. */
function socketAddress(address = "", port = 0): SocketAddress {
  return { address: address.replace(/^::ffff:(?=\d+\.)/i, ""), port };
}

/** Whether what is at the path is a socket, left over from a process that is gone. */
function isStale(path: string): Promise<boolean> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) {
    return Promise.resolve(false);
  }
  return new Promise((resolve) => {
    const probe = connect({ path });
    const settle = (stale: boolean) => {
      probe.destroy();
      resolve(stale);
    };
    probe.once("connect", () => settle(false));
    probe.once("error", (error) => settle("code" in error && error.code === "ECONNREFUSED"));
  });
}

function tell(options: ListenOptions, refused: RefusedRequest): void {
  try {
    options.onRefused?.(refused);
  } catch (error) {
    report(options, error);
  }
}

/** An error in what is told of errors has nowhere to go. */
function report(options: ListenOptions, error: unknown): void {
  try {
    options.onError?.(error);
  } catch {
    // As said.
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The runtime has removed it already.
  }
}
