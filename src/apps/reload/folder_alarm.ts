/**
 * The system's watches on a folder and all below it.
 *
 * @module
 */

import { type Clock, HostError, type HostFiles } from "../../host/types.ts";
import type { Schedule } from "./burst.ts";

/** What the alarm needs. */
export interface FolderAlarmOptions {
  readonly files: Pick<HostFiles, "watch">;
  readonly clock: Pick<Clock, "monotonic">;
  readonly schedule: Schedule;
  /** Something may have changed. */
  readonly onChange: () => void;
}

/** Watches that follow the folders that there are. */
export interface FolderAlarm {
  /** Watches exactly these folders: paths below the root, each with what tells it from another. */
  arm(root: string, folders: ReadonlyMap<string, string>): void;
  /** Watches nothing. */
  disarm(): void;
  /** Whether the system lends no watches: look now and then instead. */
  readonly isDown: boolean;
  /** Folders that have a watch of the system. */
  readonly folders: number;
  /** As {@linkcode disarm}, for good. */
  close(): void;
}

/** More events than this before the next look, and the watches are given up for a while, */
const FLOOD = 100;

/** which is twice as long, in ms, each time in a row, up to the second. */
const DEAF_MS = [500, 4_000] as const;

/** Watches are asked for again after this, in ms, where there were none. */
const RETRY_MS = 30_000;

/** What is written while a watch begins is found by looking then, in ms (Deno takes up to 200). */
const SETTLE_MS = [250, 1_000] as const;

interface Watch {
  readonly identity: string;
  close(): void;
}

/** Makes an alarm that watches nothing yet. */
export function createFolderAlarm(options: FolderAlarmOptions): FolderAlarm {
  const { files, clock, schedule, onChange } = options;
  const watches = new Map<string, Watch>();
  const timers: (() => void)[] = [];
  let root = "";
  let events = 0;
  let deafMs: number = DEAF_MS[0];
  let deafUntil = 0;
  let retryAt = 0;
  let isDown = false;

  const later = (ms: number) => void timers.push(schedule(ms, onChange));
  const cancelTimers = () => timers.splice(0).forEach((cancel) => cancel());

  function closeAll(): void {
    watches.forEach((watch) => watch.close());
    watches.clear();
  }

  function fail(error: HostError): void {
    // The folder went away since it was seen: the next look tells.
    if (error.code === "not_found") return onChange();
    isDown = true;
    retryAt = clock.monotonic() + RETRY_MS;
    closeAll();
  }

  function ring(): void {
    if (++events <= FLOOD) return onChange();
    // Someone writes without end: it is enough to look from time to time.
    closeAll();
    deafUntil = clock.monotonic() + deafMs;
    cancelTimers();
    later(deafMs);
    deafMs = Math.min(deafMs * 2, DEAF_MS[1]);
  }

  function watch(path: string, identity: string): void {
    const folder = path === "" ? root : `${root}/${path}`;
    const close = files.watch(folder, {
      onChange: ring,
      onLost: (error) => {
        if (watches.delete(path)) fail(error);
      },
    });
    watches.set(path, { identity, close });
  }

  return {
    arm(newRoot, folders) {
      const now = clock.monotonic();
      if (now < deafUntil || now < retryAt) return;
      if (events <= FLOOD) deafMs = DEAF_MS[0];
      events = 0;
      isDown = false;
      const replaced = new Set<string>();
      for (const [path, { identity, close }] of watches) {
        if (newRoot === root && folders.get(path) === identity) continue;
        close();
        watches.delete(path);
        if (folders.has(path)) replaced.add(path);
      }
      // On Deno a watch that begins at a path whose old one has just ended stays with the old folder.
      if (replaced.size > 0) onChange();
      root = newRoot;
      let added = false;
      for (const [path, identity] of folders) {
        if (watches.has(path) || replaced.has(path)) continue;
        try {
          watch(path, identity);
          added = true;
        } catch (error) {
          if (!(error instanceof HostError)) throw error;
          if (error.code === "not_found") continue;
          return fail(error);
        }
      }
      if (!added) return;
      cancelTimers();
      SETTLE_MS.forEach(later);
    },
    disarm: closeAll,
    get folders() {
      return watches.size;
    },
    get isDown() {
      return isDown;
    },
    close() {
      cancelTimers();
      closeAll();
    },
  };
}
