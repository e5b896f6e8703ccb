/**
 * Requests one after the other on one connection, as a browser sends them.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { rawConnect, type RawConnection, type RawResponse } from "./raw_http.ts";

/** A client with one connection. */
export interface KeptConnection {
  /** Sends a request and waits for its response. */
  send(
    target: string,
    headers?: Readonly<Record<string, string>>,
    method?: string,
  ): Promise<RawResponse>;
  /** Posts JSON and waits for the answer. */
  post(target: string, body: unknown): Promise<RawResponse>;
  close(): void;
}

/** Connects to a port of this machine; connects again where the server closed. */
export function keptConnection(port: number): KeptConnection {
  let connection: RawConnection | null = null;
  async function exchange(
    method: string,
    target: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<RawResponse> {
    if (connection === null || connection.state() !== "open") {
      connection?.close();
      connection = await rawConnect({ port });
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    connection.write(
      [`${method} ${target} HTTP/1.1`, "Host: localhost", ...lines, "", body].join("\r\n"),
    );
    return await connection.response({ head: method === "HEAD" });
  }
  return {
    send: (target, headers = {}, method = "GET") => exchange(method, target, headers, ""),
    post(target, body) {
      const text = JSON.stringify(body);
      const length = String(Buffer.byteLength(text));
      const headers = { "content-type": "application/json", "content-length": length };
      return exchange("POST", target, headers, text);
    },
    close: () => connection?.close(),
  };
}
