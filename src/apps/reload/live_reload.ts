/**
 * Live reload: tells the streams of open pages when files of their apps change. One watch serves
 * all streams of an app, and an app that no page has open has none.
 *
 * @module
 */

import { Fault } from "../../fault.ts";
import type { Clock, HostFiles } from "../../host/types.ts";
import { findAppFolder } from "../app_folder.ts";
import type { Schedule } from "./burst.ts";
import { FolderWatch } from "./folder_watch.ts";
import { type AppState, createMailbox, type Mailbox } from "./mailbox.ts";

/** An app by its names. */
export interface AppName {
  readonly agentId: string;
  readonly appId: string;
}

/** The service. */
export interface LiveReload {
  /**
   * How the apps are, first of each once it is known, then again after each change. It ends when
   * the signal aborts and when the service is told to end.
   *
   * @throws {Fault} `too_many_streams`
   */
  follow(apps: readonly AppName[], signal: AbortSignal): AsyncIterable<AppState>;
  /** Apps that are watched now. */
  readonly watched: number;
  /** Folders of those apps that have a watch of the system: none while such are given up. */
  readonly folders: number;
  /** Ends every stream and every watch; new ones may begin. */
  end(): void;
}

/** Bounds of the service. */
export interface LiveReloadLimits {
  /** Apps that are watched at once. */
  readonly apps: number;
  /** Streams: each holds a connection. */
  readonly streams: number;
  /** Streams times their apps. */
  readonly followers: number;
  /** How long an app is watched on after its last page, in ms: a page that reloads is back soon. */
  readonly lingerMs: number;
}

/** The bounds in use. */
export const LIVE_RELOAD_LIMITS: LiveReloadLimits = {
  apps: 512,
  streams: 512,
  followers: 4096,
  lingerMs: 5_000,
};

/** What the service needs. */
export interface LiveReloadOptions {
  readonly files: HostFiles;
  readonly clock: Clock;
  /** `<home>/agents`. */
  readonly agentsFolder: string;
  /** Told of faults of ours. */
  readonly onError: (error: unknown) => void;
  readonly limits?: LiveReloadLimits;
}

interface Watched {
  readonly watch: FolderWatch;
  readonly followers: Set<Mailbox>;
  state: AppState | null;
  cancelLinger: () => void;
}

/** Makes the service. */
export function createLiveReload(options: LiveReloadOptions): LiveReload {
  const { files, clock, agentsFolder, onError, limits = LIVE_RELOAD_LIMITS } = options;
  const watched = new Map<string, Watched>();
  const mailboxes = new Set<Mailbox>();
  let followers = 0;

  function begin(app: string, { agentId, appId }: AppName): Watched {
    const watch = new FolderWatch({
      files,
      clock,
      schedule,
      findRoot: () => folderOf(files, agentsFolder, agentId, appId),
      onState(state) {
        entry.state = { app, ...state };
        for (const mailbox of entry.followers) mailbox.put(entry.state);
      },
      onError,
    });
    const entry: Watched = { watch, followers: new Set(), state: null, cancelLinger: () => {} };
    watched.set(app, entry);
    return entry;
  }

  function end(app: string): void {
    watched.get(app)?.watch.close();
    watched.delete(app);
  }

  function join(mailbox: Mailbox, name: AppName): () => void {
    const app = `${name.agentId}/${name.appId}`;
    const entry = watched.get(app) ?? begin(app, name);
    entry.cancelLinger();
    entry.followers.add(mailbox);
    followers++;
    // Known already: without what changed, which this reader did not see.
    if (entry.state !== null) mailbox.put({ ...entry.state, change: null });
    return () => {
      followers--;
      entry.followers.delete(mailbox);
      if (entry.followers.size > 0 || watched.get(app) !== entry) return;
      entry.cancelLinger = schedule(limits.lingerMs, () => end(app));
    };
  }

  function requireRoom(apps: readonly AppName[]): void {
    const added = apps.filter(({ agentId, appId }) => !watched.has(`${agentId}/${appId}`)).length;
    if (
      watched.size + added > limits.apps || mailboxes.size >= limits.streams ||
      followers + apps.length > limits.followers
    ) {
      throw new Fault("too_many_streams", "Too many pages wait for changes of their apps", {
        hint: "Close pages that are no longer needed, then try again.",
      });
    }
  }

  return {
    follow(apps, signal) {
      requireRoom(apps);
      const mailbox = createMailbox();
      mailboxes.add(mailbox);
      const leave = apps.map((app) => join(mailbox, app));
      const stop = () => {
        if (!mailboxes.delete(mailbox)) return;
        signal.removeEventListener("abort", stop);
        mailbox.end();
        leave.forEach((it) => it());
      };
      signal.addEventListener("abort", stop);
      if (signal.aborted) stop();
      return states(mailbox, stop);
    },
    get watched() {
      return watched.size;
    },
    get folders() {
      return [...watched.values()].reduce((sum, { watch }) => sum + watch.folders, 0);
    },
    end() {
      // Each reader then sees the end of its stream, and leaves.
      for (const mailbox of mailboxes) mailbox.end();
      for (const [app, entry] of watched) {
        entry.cancelLinger();
        end(app);
      }
    },
  };
}

// --- internal ---

async function* states(mailbox: Mailbox, stop: () => void): AsyncGenerator<AppState> {
  try {
    for (;;) {
      const state = await mailbox.next();
      if (state === null) return;
      yield state;
    }
  } finally {
    stop();
  }
}

/** The app's folder; `null` where there is none that may be served. */
async function folderOf(
  files: HostFiles,
  agentsFolder: string,
  agentId: string,
  appId: string,
): Promise<string | null> {
  try {
    return await findAppFolder(files, agentsFolder, agentId, appId);
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

const schedule: Schedule = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
