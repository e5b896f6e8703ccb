/**
 * Watches one app's folder: an event means "look again", and what counts is what the look finds.
 *
 * @module
 */

import { type Clock, HostError, type HostFiles } from "../../host/types.ts";
import { type Bursts, createBursts, type Schedule } from "./burst.ts";
import { type Change, differenceOf, newestOf } from "./changes.ts";
import { createFolderAlarm, type FolderAlarm } from "./folder_alarm.ts";
import { type Snapshot, takeSnapshot, versionOf } from "./snapshot.ts";

/** How an app's files are now. */
export interface FolderState {
  /** A digest of the files. */
  readonly version: string;
  /** When the newest change was made, in ms since the epoch; 0 where there are no files. */
  readonly changedAt: number;
  /** What changed from which version; `null` at the first look. */
  readonly change: { readonly from: string; readonly what: Change } | null;
}

/** What a watch needs. */
export interface FolderWatchOptions {
  readonly files: Pick<HostFiles, "list" | "lstat" | "watch">;
  readonly clock: Clock;
  readonly schedule: Schedule;
  /** Finds the folder's canonical path; `null` while there is none. */
  readonly findRoot: () => Promise<string | null>;
  /** Told after the first look and after each change. */
  readonly onState: (state: FolderState) => void;
  /** Told of faults of ours. */
  readonly onError: (error: unknown) => void;
}

/**
 * The root is looked for again at this pace, in ms: it may be another one now. The same pace serves
 * where the system lends no watches.
 */
const ROUND_MS = 2_000;

/** A folder that is gone may be back at once: an agent writes a new one in its place. */
const GONE_MS = 250;

/** Watches a folder until it is closed. */
export class FolderWatch {
  readonly #options: FolderWatchOptions;
  readonly #alarm: FolderAlarm;
  readonly #bursts: Bursts;
  #root: string | null = null;
  #snapshot: Snapshot | null = null;
  #version = "";
  #changedAt = 0;
  #lookedAt = 0;
  #closed = false;
  #cancelRound: () => void = () => {};

  constructor(options: FolderWatchOptions) {
    const { files, clock, schedule } = options;
    this.#options = options;
    this.#bursts = createBursts(() => this.#look(), clock, schedule);
    this.#alarm = createFolderAlarm({ files, clock, schedule, onChange: this.#bursts.touch });
    this.#round(0);
  }

  /** Folders that have a watch of the system. */
  get folders(): number {
    return this.#alarm.folders;
  }

  /** Ends the watch. */
  close(): void {
    this.#closed = true;
    this.#cancelRound();
    this.#bursts.close();
    this.#alarm.close();
  }

  #round(ms: number): void {
    this.#cancelRound = this.#options.schedule(ms, async () => {
      if (this.#root === null || this.#alarm.isDown || !await this.#isRootSame()) {
        this.#bursts.touch();
      }
      if (this.#closed) return;
      this.#round(this.#root === null ? Math.min(Math.max(ms * 2, GONE_MS), ROUND_MS) : ROUND_MS);
    });
  }

  /** Whether the path still leads to the folder that is watched. */
  async #isRootSame(): Promise<boolean> {
    try {
      const root = await this.#options.findRoot();
      if (root === null || root !== this.#root) return false;
      const { dev, ino } = await this.#options.files.lstat(root);
      return this.#snapshot?.folders.get("") === `${dev}:${ino}`;
    } catch {
      return false;
    }
  }

  async #look(): Promise<void> {
    try {
      const now = this.#options.clock.now();
      const snapshot = await this.#takeSnapshot();
      if (this.#closed) return;
      if (snapshot === null) this.#alarm.disarm();
      else {
        this.#alarm.arm(this.#root!, snapshot.folders);
        await this.#compare(snapshot, now);
      }
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** A look at the folder; `null` while there is none that can be listed. */
  async #takeSnapshot(): Promise<Snapshot | null> {
    try {
      this.#root = await this.#options.findRoot();
      return this.#root === null ? null : await takeSnapshot(this.#options.files, this.#root);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      this.#root = null;
      return null;
    }
  }

  /** While the folder is gone nothing is told; one that comes back is compared with what was. */
  async #compare(snapshot: Snapshot, now: number): Promise<void> {
    const before = this.#snapshot;
    const difference = before === null ? null : differenceOf(before, snapshot);
    // Removed files have no time of their own: it was after the look before.
    const changedAt = before === null
      ? newestOf(snapshot, now)
      : Math.min(difference?.newestMs ?? this.#lookedAt, now);
    this.#snapshot = snapshot;
    this.#lookedAt = now;
    if (before !== null && difference === null) return;
    const from = this.#version;
    this.#version = await versionOf(snapshot);
    this.#changedAt = Math.max(this.#changedAt, changedAt);
    if (this.#closed) return;
    this.#options.onState({
      version: this.#version,
      changedAt: this.#changedAt,
      change: difference === null ? null : { from, what: difference.change },
    });
  }
}
