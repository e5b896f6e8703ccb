/**
 * Clients that read slowly.
 *
 * @module
 */

import { connect, type Socket } from "node:net";

/** Asks for a URL and rests after each piece that was read. */
export function readSlowly(url: URL, pauseMs: number): Socket {
  const socket = connect(Number(url.port), url.hostname);
  socket.on("error", () => {});
  socket.on("data", () => {
    socket.pause();
    setTimeout(() => socket.resume(), pauseMs);
  });
  socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
  return socket;
}
