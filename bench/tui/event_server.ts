/**
 * A server that answers what the terminal UI asks for, and streams events as fast as it is told to.
 *
 * Not Holon: what is measured is the terminal UI, and writing 10,000 messages a minute durably would
 * take the processor from it.
 *
 * @module
 */

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { VERSION } from "../../src/version.ts";

/** A server under way. */
export interface EventServer {
  readonly url: string;
  /** Events sent so far. */
  readonly sent: () => number;
  /** From now on it takes connections, keeps them, and sends nothing. */
  stall(): void;
  close(): void;
}

const TYPES = ["message_enqueued", "message_processing_started", "message_succeeded"] as const;
const PAGE = 50;

/** Starts it on a free port of the loopback. */
export async function startEventServer(eventsPerMinute: number): Promise<EventServer> {
  const streams = new Set<ServerResponse>();
  let sequence = 0;
  let finished = 0;
  let stalled = false;
  const server = createServer((request, response) => {
    if (stalled) return;
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (pathname.endsWith("/events/stream")) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      streams.add(response);
      response.on("close", () => streams.delete(response));
      return;
    }
    const body = JSON.stringify(answer(pathname, sequence, finished));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  const begun = performance.now();
  const timer = eventsPerMinute === 0 ? undefined : setInterval(() => {
    if (stalled) return;
    const due = Math.floor((performance.now() - begun) / 60_000 * eventsPerMinute);
    while (sequence < due) {
      sequence++;
      const type = TYPES[sequence % TYPES.length];
      if (type === "message_succeeded") finished++;
      const frame = `id: ${sequence}\nevent: holon_event\ndata: ${
        JSON.stringify({
          version: "1",
          agent_id: "main",
          event: {
            sequence,
            type,
            timestamp: new Date().toISOString(),
            message_id: messageId(Math.floor(sequence / TYPES.length)),
            request_id: null,
            origin: "app:ping-card",
          },
        })
      }\n\n`;
      for (const stream of streams) stream.write(frame);
    }
  }, 20);

  return {
    url: `http://127.0.0.1:${port}`,
    sent: () => sequence,
    stall() {
      stalled = true;
    },
    close() {
      clearInterval(timer);
      for (const stream of streams) stream.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(pathname: string, sequence: number, finished: number): unknown {
  const queue = { queued: 3, processing: 1, succeeded: finished, failed: 0, cancelled: 0 };
  const agent = { id: "main", runner: null, problem: null };
  switch (pathname) {
    case "/api/handshake":
      return {
        ok: true,
        protocol: { name: "holon-control", version: 1 },
        version: VERSION,
        auth: { mode: "bearer", required: true },
        capabilities: [],
        runtime: { default_agent: "main" },
      };
    case "/api/agents":
      return { agents: [{ ...agent, queue }] };
    case "/api/agents/main/state":
      return { agent, apps: [], queue, newest_event_id: sequence };
    default:
      return { agent_id: "main", messages: page(sequence), next_before: null };
  }
}

/** The newest messages, each with a payload and an output of its own. */
function page(sequence: number): readonly unknown[] {
  const newest = Math.floor(sequence / TYPES.length);
  return Array.from({ length: Math.min(PAGE, newest) }, (_, index) => ({
    id: messageId(newest - index),
    agent_id: "main",
    origin: "app:ping-card",
    status: "succeeded",
    request_type: "ping",
    payload: { at: newest - index, note: "x".repeat(400) },
    attempts: 1,
    created_at: new Date().toISOString(),
    finished_at: new Date().toISOString(),
    result: { exit_code: 0, error: null, stdout: `done ${newest - index}\n`.repeat(20) },
  }));
}

function messageId(number: number): string {
  return `msg_${String(number).padStart(32, "0")}`;
}
