/**
 * Watches folders on Deno, in a thread of its own: there a watch that begins or ends waits until
 * all events before it are handled, which takes seconds while someone writes without pause.
 *
 * @module
 */

import { Worker } from "node:worker_threads";
import { HostError, type HostErrorCode, type WatchListener } from "./types.ts";

/** What the thread is told: to begin a watch, or, without a path, to end it. */
interface Order {
  readonly id: number;
  readonly path: string | null;
}

/** What it tells: something happened, or the watch has ended by an error. */
interface Report {
  readonly id: number;
  readonly error: { readonly name: string; readonly message: string } | null;
}

interface Watch {
  readonly path: string;
  readonly listener: WatchListener;
}

const watches = new Map<number, Watch>();
let thread: Worker | null = null;
let lastId = 0;

/** As {@linkcode HostFiles.watch}; what goes wrong is told to the listener. */
export function watchFolderOnDeno(path: string, listener: WatchListener): () => void {
  const id = ++lastId;
  watches.set(id, { path, listener });
  thread ??= startThread();
  order({ id, path });
  return () => {
    if (watches.delete(id)) order({ id, path: null });
  };
}

// --- internal ---

function order(message: Order): void {
  thread?.postMessage(message);
}

/** Starts the thread, which takes some 12 MiB and is kept: it holds no program up. */
function startThread(): Worker {
  // A module of its own would need the permission to read it, and a place in single binaries.
  const source = `(${watchInThread})(Deno, require("node:worker_threads").parentPort)`;
  const started = new Worker(source, { eval: true });
  started.unref();
  started.on("message", ({ id, error }: Report) => {
    const watch = watches.get(id);
    if (watch === undefined) return;
    if (error === null) return watch.listener.onChange();
    watches.delete(id);
    lose(watch, codeOf(error), error.message);
  });
  started.on("error", (error) => {
    thread = null;
    const lost = [...watches.values()];
    watches.clear();
    for (const watch of lost) lose(watch, "io", String(error));
  });
  return started;
}

function lose({ path, listener }: Watch, code: HostErrorCode, detail: string): void {
  listener.onLost(new HostError(code, `Watching ${path} failed: ${detail}`));
}

function codeOf({ name, message }: NonNullable<Report["error"]>): HostErrorCode {
  if (name === "NotFound") return "not_found";
  if (name === "NotCapable" || name === "PermissionDenied") return "denied";
  return /limit reached/.test(message) ? "no_space" : "io";
}

/** The part of Deno's global that the thread uses. */
interface ThreadDeno {
  watchFs(path: string, options: { readonly recursive: boolean }): ThreadWatch;
}

interface ThreadWatch extends AsyncIterable<{ readonly kind: string }> {
  close(): void;
}

interface ThreadPort {
  on(event: "message", listener: (order: Order) => void): void;
  postMessage(report: Report): void;
}

/** Runs in the thread as its own text: it knows nothing of this module. */
function watchInThread(deno: ThreadDeno, port: ThreadPort): void {
  const open = new Map<number, ThreadWatch>();
  const follow = async (id: number, path: string) => {
    try {
      const watch = deno.watchFs(path, { recursive: false });
      open.set(id, watch);
      for await (const { kind } of watch) {
        if (kind !== "access") port.postMessage({ id, error: null });
      }
    } catch (error) {
      const { name, message } = error as Error;
      port.postMessage({ id, error: { name, message } });
    } finally {
      open.delete(id);
    }
  };
  port.on("message", ({ id, path }) => {
    if (path === null) open.get(id)?.close();
    else void follow(id, path);
  });
}
