/**
 * A TCP relay between browser and server that can cut what runs through it, and that notes the
 * event streams that are asked for.
 *
 * @module
 */

import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A request for an event stream. */
export interface StreamRequest {
  readonly path: string;
  readonly lastEventId: string | null;
  /** When it came, in ms of `performance.now()`. */
  readonly at: number;
}

/** A relay that listens on a loopback port of its own. */
export interface Relay {
  readonly url: string;
  readonly streams: readonly StreamRequest[];
  /** Event streams that are open now. */
  openStreams(): number;
  /** Streams of live reload alone, those that were asked for. */
  readonly reloads: readonly StreamRequest[];
  /** Streams of live reload alone that are open now. */
  openReloads(): number;
  /** Breaks every connection. */
  cut(): void;
  close(): Promise<void>;
}

/** Starts a relay to a server on 127.0.0.1. */
export async function startRelay(port: number): Promise<Relay> {
  const streams: StreamRequest[] = [];
  const reloads: StreamRequest[] = [];
  const sockets = new Set<Socket>();
  const streaming = new Set<Socket>();
  const reloading = new Set<Socket>();
  const server = createServer((client) => {
    const track = (socket: Socket, other: () => Socket | undefined) => {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        streaming.delete(client);
        reloading.delete(client);
        other()?.destroy();
      });
    };
    let upstream: Socket | undefined;
    track(client, () => upstream);
    client.on("data", (bytes) => {
      // Noted first: what is asked for counts, also while there is no server.
      for (const request of streamRequests(bytes.toString("latin1"))) {
        const isReload = request.path.startsWith("/api/reload?");
        (isReload ? reloads : streams).push(request);
        (isReload ? reloading : streaming).add(client);
      }
      if (upstream === undefined) {
        upstream = connect(port, "127.0.0.1");
        track(upstream, () => client);
        upstream.pipe(client);
      }
      upstream.write(bytes);
    });
    client.on("end", () => upstream?.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    streams,
    openStreams: () => streaming.size,
    reloads,
    openReloads: () => reloading.size,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    close: () => {
      sockets.forEach((socket) => socket.destroy());
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Requests for event streams in what a client sends; browsers send a GET's head in one piece. */
function streamRequests(text: string): StreamRequest[] {
  return [
    ...text.matchAll(
      /^GET (\S*\/(?:events(?:\/stream)?|api\/reload\?\S*)) HTTP\/1\.1\r\n([^]*?)\r\n\r\n/gm,
    ),
  ].map(
    ([, path, head]) => ({
      path: path!,
      lastEventId: /^last-event-id: *(.*)$/im.exec(head!)?.[1]?.trim() ?? null,
      at: performance.now(),
    }),
  );
}
