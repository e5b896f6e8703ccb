/**
 * The server that the contract suite talks to: one route for each thing that a handler may do.
 *
 * A request's `k` parameter names the record that `/record?k=` gives back: what became of it.
 * Limits come as JSON in `HOLON_TEST_LIMITS`.
 *
 * @module
 */

import { appendFileSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { createHost } from "../../src/host/current.ts";
import { attachFileBody } from "../../src/host/file_body.ts";
import type { ConnectionInfo, OpenedFile } from "../../src/host/types.ts";

interface Record {
  aborted: boolean;
  cancelled: boolean;
  finishes: number;
  outcome: string | null;
  bodyError: string | null;
  pulls: number;
}

type Route = (query: URLSearchParams, call: Call) => Promise<Response> | Response;

interface Call {
  readonly request: Request;
  readonly info: ConnectionInfo;
  readonly record: Record;
}

const [folder = "."] = process.argv.slice(2);
const host = createHost();
const records = new Map<string, Record>();
const errors: string[] = [];
const text = new TextEncoder();

function streamOf(
  pieces: readonly (Error | string)[],
  record: Record,
): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      record.pulls++;
      const piece = left.shift();
      if (piece === undefined) controller.close();
      else if (piece instanceof Error) controller.error(piece);
      else controller.enqueue(text.encode(piece));
    },
    cancel() {
      record.cancelled = true;
    },
  }, { highWaterMark: 0 });
}

function silentStream(record: Record): ReadableStream<Uint8Array> {
  return new ReadableStream({
    cancel() {
      record.cancelled = true;
    },
  });
}

function endlessStream(record: Record): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(64 * 1024);
  return new ReadableStream({
    pull(controller) {
      record.pulls++;
      controller.enqueue(piece);
    },
    cancel() {
      record.cancelled = true;
    },
  }, { highWaterMark: 0 });
}

/** Events that come whether or not they are taken; gives up when too many wait. */
function floodingStream(record: Record): ReadableStream<Uint8Array> {
  const event = text.encode(`data: ${"x".repeat(64 * 1024)}\n\n`);
  let timer: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream({
    start(controller) {
      timer = setInterval(() => {
        if ((controller.desiredSize ?? 0) > -100) return controller.enqueue(event);
        clearInterval(timer);
        record.bodyError = "too slow";
        controller.error(new Error("too slow"));
      }, 1);
    },
    cancel() {
      clearInterval(timer);
      record.cancelled = true;
    },
  });
}

/** Sends a file range; `change` is called once, after the first read. */
async function fileResponse(
  path: string,
  length: number,
  record: Record,
  change: () => void = () => {},
): Promise<Response> {
  const opened = await host.files.openCanonical(await host.files.realpath(path));
  let pending: (() => void) | null = change;
  const file: OpenedFile = {
    stat: opened.stat,
    refresh: () => opened.refresh(),
    async read(view, position) {
      const count = await opened.read(view, position);
      pending?.();
      pending = null;
      return count;
    },
    readSync: (view, position) => opened.readSync(view, position),
    statNow: () => opened.statNow(),
    close: () => opened.close(),
  };
  const response = new Response(null, { headers: { "content-length": String(length) } });
  const finish = () => {
    record.finishes++;
    file.close();
  };
  attachFileBody(response, { file, start: 0, end: length, finish });
  return response;
}

function scratchFile(size: number): string {
  const path = `${folder}/scratch-${crypto.randomUUID()}`;
  writeFileSync(path, new Uint8Array(size).fill(0x61));
  return path;
}

const routes: { readonly [path: string]: Route } = {
  "/echo": async (_query, { request, info }) => {
    const { target, host, transport, peer, local } = info;
    const { method, url } = request;
    const body = await request.text();
    const headers = [...request.headers];
    return Response.json({ method, url, target, host, transport, peer, local, headers, body });
  },
  "/text": (query) => new Response("x".repeat(Number(query.get("n") ?? 5))),
  "/empty": () => new Response(null),
  "/head": (_query, { record }) =>
    new Response(streamOf(["a"], record), { headers: { "content-length": "1234" } }),
  "/not-modified": () =>
    new Response(null, { status: 304, headers: { "content-length": "1234", etag: '"e"' } }),
  "/no-content": () => new Response(null, { status: 204 }),
  "/short": (_query, { record }) =>
    new Response(streamOf(["0123456789"], record), { headers: { "content-length": "100" } }),
  "/short-null": () => new Response(null, { headers: { "content-length": "100" } }),
  "/long": (_query, { record }) =>
    new Response(streamOf(["01234", "56789abc", "def"], record), {
      headers: { "content-length": "10" },
    }),
  "/fail": (_query, { record }) =>
    new Response(streamOf(["0123456789", new Error("mid-body")], record), {
      headers: { "content-length": "100" },
    }),
  "/fail-chunked": (_query, { record }) =>
    new Response(streamOf(["0123456789", "abc", new Error("mid-body")], record)),
  "/fail-first": (_query, { record }) => new Response(streamOf([new Error("at once")], record)),
  "/pieces": (_query, { record }) => new Response(streamOf(["one,", "two,", "three"], record)),
  "/trickle": (_query) => {
    const pieces = ["one,", "two,", "three"];
    return new Response(
      new ReadableStream({
        async pull(controller) {
          await delay(30);
          const piece = pieces.shift();
          if (piece === undefined) controller.close();
          else controller.enqueue(text.encode(piece));
        },
      }),
    );
  },
  "/own-framing": () =>
    new Response("abc", {
      headers: { "transfer-encoding": "chunked", "content-length": "3", connection: "upgrade" },
    }),
  "/throw": () => {
    throw new Error("secret detail");
  },
  "/used-body": async () => {
    const response = new Response("abc");
    await response.text();
    return response;
  },
  "/events": (_query, { record }) =>
    new Response(silentStream(record), { headers: { "content-type": "text/event-stream" } }),
  "/events-heard": (_query, { record }) =>
    new Response(streamOf(["data: 1\n\n", "data: 2\n\n"], record), {
      headers: { "content-type": "text/event-stream; charset=utf-8" },
    }),
  "/events-flood": (_query, { record }) =>
    new Response(floodingStream(record), { headers: { "content-type": "text/event-stream" } }),
  "/no-response": () => undefined as unknown as Response,
  "/slow": async (query) => {
    await delay(Number(query.get("ms")));
    return new Response("slow");
  },
  "/until-gone": async (_query, { request }) => {
    await new Promise((resolve) => request.signal.addEventListener("abort", resolve));
    return new Response("nobody reads this");
  },
  "/endless": (_query, { record }) => new Response(endlessStream(record)),
  "/upload": async (_query, { request, record }) => {
    const hash = createHash("sha256");
    let size = 0;
    try {
      for await (const piece of request.body ?? []) {
        hash.update(piece);
        size += piece.length;
      }
    } catch (error) {
      record.bodyError = String(error);
      throw error;
    }
    return Response.json({ size, sha256: hash.digest("hex") });
  },
  "/no-read": () => new Response("not read"),
  "/cancel-read": async (_query, { request }) => {
    const reader = request.body!.getReader();
    await reader.read();
    await reader.cancel();
    return new Response("read a little");
  },
  "/mirror": (_query, { request }) => new Response(request.body),
  "/file": async (query, { record }) => {
    const size = Number(query.get("n"));
    return await fileResponse(scratchFile(size), size, record);
  },
  "/truncated": async (query, { record }) => {
    const size = Number(query.get("n"));
    const path = scratchFile(size);
    return await fileResponse(path, size, record, () => truncateSync(path, size / 2));
  },
  "/truncated-small": async (_query, { record }) =>
    await fileResponse(scratchFile(100), 200, record),
  "/grown": async (query, { record }) => {
    const size = Number(query.get("n"));
    const path = scratchFile(size);
    const grow = () => appendFileSync(path, new Uint8Array(size));
    return await fileResponse(path, size, record, grow);
  },
  "/record": (query) => Response.json(records.get(query.get("of") ?? "") ?? null),
  "/process": () =>
    Response.json({
      descriptors: readdirSync("/proc/self/fd").length,
      connections: listeners.map((listener) => listener.connections),
      errors,
      rss: process.memoryUsage().rss,
    }),
};

async function fetch(request: Request, info: ConnectionInfo): Promise<Response> {
  const query = new URLSearchParams(info.target.split("?")[1] ?? "");
  const record: Record = {
    aborted: false,
    cancelled: false,
    finishes: 0,
    outcome: null,
    bodyError: null,
    pulls: 0,
  };
  const key = query.get("k");
  if (key !== null) records.set(key, record);
  request.signal.addEventListener("abort", () => {
    record.aborted = true;
  });
  info.ended.then((outcome) => {
    record.outcome = outcome;
  });
  const path = /^(?:https?:\/\/[^/]*)?(\/[^?]*)/.exec(info.target)?.[1] ?? "/echo";
  const route = routes[path] ?? routes["/echo"]!;
  return await route(query, { request, info, record });
}

const limits = JSON.parse(process.env["HOLON_TEST_LIMITS"] ?? "{}");
const onError = (error: unknown) => void errors.push(String(error));
const listeners = [
  await host.listen({
    address: { transport: "tcp", host: "127.0.0.1", port: 0 },
    fetch,
    limits,
    onError,
  }),
  await host.listen({
    address: { transport: "unix", path: `${folder}/test.sock` },
    fetch,
    limits,
    onError,
  }),
];
process.on("unhandledRejection", (error) => {
  console.log(`unhandled ${error}`);
  process.exit(70);
});
host.onSignal("SIGTERM", async () => {
  await Promise.all(listeners.map((listener) => listener.close(2000)));
  console.log("closed");
});
const [tcp] = listeners;
if (tcp?.address.transport === "tcp") console.log(`listening ${tcp.address.port}`);
