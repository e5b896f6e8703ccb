/**
 * Requests of a soak: each is counted, and may fail only where the server was killed meanwhile.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import type { SoakServer } from "./server.ts";
import type { Tally } from "./tally.ts";

/** Without a byte for so long, a request hangs. */
const STALL_MS = 60_000;

/** A whole answer. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** One request. */
export interface Call {
  /** What it is counted as. */
  readonly kind: string;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Statuses that are right; others are held against the server. */
  readonly allowed: readonly number[];
  /** Whether the answer may break off, as that of a file which is rewritten in place. */
  readonly mayBreak?: boolean;
}

/** Sends requests over kept connections. */
export class SoakClient {
  readonly server: SoakServer;
  readonly tally: Tally;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32, timeout: 20_000 });

  constructor(server: SoakServer, tally: Tally) {
    this.server = server;
    this.tally = tally;
  }

  /** The answer; `null` where the server was killed before it was whole. */
  async call(call: Call): Promise<Answer | null> {
    await this.server.up();
    const { life } = this.server;
    try {
      const answer = await this.#send(call);
      this.tally.answer(call.kind, answer.status, call.allowed, answer.body.toString("latin1"));
      return answer;
    } catch (error) {
      if (this.server.life !== life) this.tally.count("requests cut by a kill");
      else if (call.mayBreak) this.tally.count(`${call.kind}: broken off`);
      else this.tally.violation(`${call.kind} ${call.path} failed: ${error}`);
      return null;
    }
  }

  /** Opens an answer to read it bit by bit; `null` where there is none. */
  async open(call: Omit<Call, "json">): Promise<IncomingMessage | null> {
    await this.server.up();
    const { life } = this.server;
    const { kind, path, headers = {}, allowed } = call;
    return await new Promise((resolve) => {
      const sent = request(this.#options(path, headers), (response) => {
        this.tally.answer(kind, response.statusCode ?? 0, allowed);
        if (allowed.includes(response.statusCode ?? 0)) return resolve(response);
        response.resume();
        resolve(null);
      });
      sent.on("error", (error) => {
        if (this.server.life === life) this.tally.violation(`${kind} ${path} failed: ${error}`);
        resolve(null);
      });
      sent.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #options(path: string, headers: Readonly<Record<string, string>>) {
    return { host: "127.0.0.1", port: this.server.port, path, headers };
  }

  #send({ path, method = "GET", headers = {}, json }: Call): Promise<Answer> {
    const body = json === undefined ? null : Buffer.from(JSON.stringify(json));
    const type = body === null
      ? {}
      : { "content-type": "application/json", "content-length": String(body.length) };
    return new Promise((resolve, reject) => {
      const options = { ...this.#options(path, { ...type, ...headers }), method };
      const sent = request({ ...options, agent: this.#agent, timeout: STALL_MS }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }));
      });
      sent.on("timeout", () => sent.destroy(new Error("nothing came for a minute")));
      sent.on("error", reject);
      sent.end(body ?? undefined);
    });
  }
}
