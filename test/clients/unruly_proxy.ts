/**
 * A TCP proxy between a client and a server that behaves as bad networks do.
 *
 * @module
 */

import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * - `pass`: as if it were not there;
 * - `delay`: everything arrives late;
 * - `stall`: connections are taken and stay open, and nothing comes through;
 * - `refuse`: nothing listens.
 */
export type Behaviour = "delay" | "pass" | "refuse" | "stall";

/** A proxy on a loopback port of its own, which it keeps. */
export interface UnrulyProxy {
  readonly url: string;
  /** How long things are late, in ms. */
  delayMs: number;
  /** Changes what happens from now on, to open connections as well. */
  behave(behaviour: Behaviour): Promise<void>;
  /** Breaks all connections. */
  cut(): void;
  /** Leads to another server. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

/** Starts a proxy to a server on 127.0.0.1. */
export async function startUnrulyProxy(port: number): Promise<UnrulyProxy> {
  const sockets = new Set<Socket>();
  const resume = new Set<() => void>();
  let behaviour: Behaviour = "pass";
  let upstream = port;
  let server: Server;
  let own = 0;
  const proxy: UnrulyProxy = {
    get url() {
      return `http://127.0.0.1:${own}`;
    },
    delayMs: 1000,
    async behave(next) {
      if (behaviour === next) return;
      const before = behaviour;
      behaviour = next;
      if (next === "refuse") {
        const closed = close(server);
        proxy.cut();
        await closed;
      } else if (before === "refuse") await open();
      for (const wake of [...resume]) wake();
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    leadTo(other) {
      upstream = other;
    },
    async close() {
      proxy.cut();
      if (behaviour !== "refuse") await close(server);
    },
  };

  /** Resolves once what has just arrived may go on. */
  async function gate(socket: Socket): Promise<void> {
    const due = behaviour === "delay" ? performance.now() + proxy.delayMs : 0;
    while (behaviour === "stall" && !socket.destroyed) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          resume.delete(wake);
          socket.off("close", wake);
          resolve();
        };
        resume.add(wake);
        socket.once("close", wake);
      });
    }
    const rest = due - performance.now();
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  }

  /** In order, and each as late as it has to be: what comes at once arrives at once. */
  function pipe(from: Socket, to: Socket): void {
    let last: Promise<void> = Promise.resolve();
    const pass = (act: () => void): void => {
      const open = gate(from);
      last = last.then(() => open).then(() => {
        if (!to.destroyed) act();
      });
    };
    from.on("data", (chunk) => pass(() => to.write(chunk)));
    from.on("end", () => pass(() => to.end()));
  }

  function accept(client: Socket): void {
    const other = connect(upstream, "127.0.0.1");
    for (const socket of [client, other]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", (failed) => {
        sockets.delete(socket);
        // After an end in good order, what is still on its way arrives first.
        if (failed || !socket.readableEnded) (socket === client ? other : client).destroy();
      });
    }
    pipe(client, other);
    pipe(other, client);
  }

  async function open(): Promise<void> {
    server = createServer(accept);
    await new Promise<void>((resolve) => server.listen(own, "127.0.0.1", resolve));
    own = (server.address() as AddressInfo).port;
  }

  await open();
  return proxy;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
