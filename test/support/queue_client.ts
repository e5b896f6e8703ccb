/**
 * What apps, workers and operators do with an agent's queue, over HTTP.
 *
 * @module
 */

import { callJson, type JsonAnswer } from "./json_client.ts";

/** The parts of a message that tests look at. */
export interface WireMessage {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly request_id: string;
  readonly payload: unknown;
  readonly lease_id?: string;
}

/** A client of the agent `main`. */
export interface QueueClient {
  /** Sends an app's request; fields of the body may be replaced. */
  request(
    app: string,
    body?: Readonly<Record<string, unknown>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<JsonAnswer>;
  /** Claims one message. */
  claim(leaseSeconds: number, worker?: string): Promise<readonly WireMessage[]>;
  /** Extends or settles with a lease. */
  settle(
    verb: "ack" | "extend" | "fail",
    messageId: string,
    body: Readonly<Record<string, unknown>>,
  ): Promise<JsonAnswer>;
  message(messageId: string): Promise<WireMessage>;
  /** All messages, newest first, page by page. */
  messages(): Promise<readonly WireMessage[]>;
}

/** Makes a client of whatever server is at the address when a method is called. */
export function queueClient(url: () => string): QueueClient {
  const root = "/api/agents/main/messages";
  return {
    request: (app, body = {}, headers = {}) =>
      callJson(
        url(),
        `/apps/main/${app}/request`,
        { version: "1", request_type: "ping", payload: null, ...body },
        headers,
      ),
    claim: async (leaseSeconds, worker) => {
      const body = { lease_s: leaseSeconds, limit: 1, ...(worker === undefined ? {} : { worker }) };
      return (await callJson(url(), `${root}/claim`, body)).body.messages;
    },
    settle: (verb, messageId, body) => callJson(url(), `${root}/${messageId}/${verb}`, body),
    message: async (messageId) => (await callJson(url(), `${root}/${messageId}`)).body.message,
    messages: async () => {
      const found: WireMessage[] = [];
      let before: string | null = null;
      do {
        const page: string = before === null ? "" : `&before=${before}`;
        const { body } = await callJson(url(), `${root}?limit=200${page}`);
        found.push(...body.messages);
        before = body.next_before;
      } while (before !== null);
      return found;
    },
  };
}
