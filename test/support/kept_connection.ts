/**
 * Requests one after the other on one connection, as a browser sends them.
 *
 * @module
 */

import { rawConnect, type RawConnection, type RawResponse } from "./raw_http.ts";

/** A client with one connection. */
export interface KeptConnection {
  /** Sends a request and waits for its response. */
  send(
    target: string,
    headers?: Readonly<Record<string, string>>,
    method?: string,
  ): Promise<RawResponse>;
  close(): void;
}

/** Connects to a port of this machine; connects again where the server closed. */
export function keptConnection(port: number): KeptConnection {
  let connection: RawConnection | null = null;
  return {
    async send(target, headers = {}, method = "GET") {
      if (connection === null || connection.state() !== "open") {
        connection?.close();
        connection = await rawConnect({ port });
      }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      connection.write(
        [`${method} ${target} HTTP/1.1`, "Host: localhost", ...lines, "", ""].join("\r\n"),
      );
      return await connection.response({ head: method === "HEAD" });
    },
    close: () => connection?.close(),
  };
}
