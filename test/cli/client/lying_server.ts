/**
 * A server that answers as a test wants it to, byte by byte.
 *
 * @module
 */

import { createServer, type Server, type Socket } from "node:net";

/** A server that is none of Holon's. */
export interface LyingServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** The heads of all requests so far. */
  readonly heads: readonly string[];
  /** Resolves once no connection is open. */
  drained(): Promise<void>;
  close(): Promise<void>;
}

/** Listens on a free port; `answer` is called with the head of each request. */
export async function lyingServer(
  answer: (socket: Socket, head: string) => void,
): Promise<LyingServer> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  let wake = (): void => {};
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      wake();
    });
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      if (text.includes("\r\n\r\n")) return;
      text += chunk;
      const end = text.indexOf("\r\n\r\n");
      if (end < 0) return;
      heads.push(text.slice(0, end));
      answer(socket, text.slice(0, end));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    heads,
    async drained() {
      while (sockets.size > 0) await new Promise<void>((resolve) => wake = resolve);
    },
    async close() {
      sockets.forEach((socket) => socket.destroy());
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The bytes of an answer; its length is told unless a header says otherwise. */
export function answerText(
  status: number,
  headers: Readonly<Record<string, string>>,
  body = "",
): string {
  const all = { "content-length": String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} X\r\n${lines.join("")}connection: close\r\n\r\n${body}`;
}

/** An answer of JSON. */
export function jsonText(status: number, value: unknown): string {
  return answerText(status, { "content-type": "application/json" }, JSON.stringify(value));
}

/** A handshake as Holon answers it. */
export function handshakeBody(changes: object = {}): Record<string, unknown> {
  return {
    ok: true,
    protocol: { name: "holon-control", version: 1 },
    auth: { mode: "bearer", required: true },
    capabilities: ["agents.list"],
    runtime: { default_agent: "main" },
    ...changes,
  };
}
