/**
 * The configuration of a running server: a snapshot that requests read, and changes to it.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { HostFiles } from "../host/types.ts";
import { type ConfigDocument, readDocument, sameJson, settingOf, withValue } from "./document.ts";
import { configPath, readConfigFile, writeConfigFile } from "./file.ts";
import { createReloader, type ReloadState } from "./reload.ts";
import { CONFIG_KEYS, findConfigKey } from "./schema.ts";
import type { ConfigSnapshot, Settings } from "./settings.ts";

/** One change: a new value, or back to the default. */
export interface ConfigUpdate {
  readonly key: string;
  readonly value?: unknown;
  readonly unset?: boolean | undefined;
}

/** What came of a change. */
export type ConfigEffect =
  | "accepted_reload_scheduled"
  | "accepted_requires_restart"
  | "rejected";

/** The outcome of one change of a batch. */
export interface ConfigResult {
  readonly key: string;
  readonly effect: ConfigEffect;
  /** A sentence: why it was rejected, or when it takes effect. */
  readonly reason: string;
}

/** The outcome of a batch: either all of it was accepted, or none. */
export interface PatchOutcome {
  /** Whether `config.json` has other content now. */
  readonly changed: boolean;
  readonly results: readonly ConfigResult[];
}

/** The configuration that every request reads and that the control API changes. */
export interface ConfigService {
  /** The host path of `config.json`; for control answers only. */
  readonly path: string;
  /** What is in effect now; frozen. */
  current(): ConfigSnapshot;
  /**
   * What `config.json` says now, which hand edits and changes that need a restart may have moved
   * away from what is in effect.
   *
   * @throws {Fault} `bad_request` when the file is unsound
   */
  stored(): Promise<ConfigSnapshot>;
  /** Applies all changes or none; never throws for a change that is refused. */
  patch(updates: readonly ConfigUpdate[]): Promise<PatchOutcome>;
  reloadState(): ReloadState;
  /** Resolves once no reload is under way. */
  settled(): Promise<void>;
  /**
   * Calls back with every new snapshot; a callback that throws fails the reload, and the old
   * configuration stays. Returns a function that stops that.
   */
  subscribe(callback: SnapshotListener): () => void;
}

/** Told of a snapshot that is about to take effect. */
export type SnapshotListener = (snapshot: ConfigSnapshot) => Promise<void> | void;

/** What {@linkcode createConfigService} needs. */
export interface ConfigServiceOptions {
  readonly files: HostFiles;
  /** The home's absolute path. */
  readonly home: string;
  /**
   * A rule about the configuration as a whole, e.g. that public host names need a token: a
   * sentence, or `null` when it may be used.
   */
  readonly accept?: (snapshot: ConfigSnapshot) => string | null;
}

/**
 * Loads the configuration and gives the service around it.
 *
 * @throws {Fault} `bad_request` when `config.json` is unsound
 */
export async function createConfigService(options: ConfigServiceOptions): Promise<ConfigService> {
  const { files } = options;
  const path = configPath(options.home);
  const listeners = new Set<SnapshotListener>();
  const load = async (): Promise<ConfigSnapshot> => {
    const reading = readDocument(await readConfigFile(files, path));
    if (!reading.ok) throw new Fault("bad_request", `config.json: ${reading.problem}`);
    return reading.snapshot;
  };
  const atStart = await load();
  const refusal = options.accept?.(atStart) ?? null;
  if (refusal !== null) throw new Fault("bad_request", refusal);
  let current = atStart;
  let queue: Promise<unknown> = Promise.resolve();

  const reloader = createReloader(async () => {
    const next = keepRestartKeys(await load(), atStart);
    await announce(listeners, next, current);
    current = next;
  }, (error) => error instanceof Fault ? error.message : "A part of the server refused it");

  async function apply(updates: readonly ConfigUpdate[]): Promise<PatchOutcome> {
    const problems = updates.map((update, index) => updateProblem(update, updates.slice(0, index)));
    if (problems.some((problem) => problem !== null)) return rejected(updates, problems);
    let before: ConfigDocument;
    let after: ConfigDocument;
    try {
      before = await readConfigFile(files, path);
      after = updates.reduce(changeDocument, before);
      const reading = readDocument(after);
      const problem = reading.ok
        ? options.accept?.(reading.snapshot) ?? null
        : `config.json: ${reading.problem}`;
      if (problem !== null) return rejected(updates, updates.map(() => problem));
      if (!sameJson(before, after)) await writeConfigFile(files, path, after);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return rejected(updates, updates.map(() => error.message));
    }
    // Even without a change: a hand edit may have put the same value there unnoticed.
    reloader.request();
    return { changed: !sameJson(before, after), results: updates.map(accepted) };
  }

  return {
    path,
    current: () => current,
    stored: load,
    patch(updates) {
      const outcome = queue.then(() => apply(updates));
      queue = outcome.catch(() => {});
      return outcome;
    },
    reloadState: () => reloader.state(),
    settled: () => reloader.settled(),
    subscribe(callback) {
      listeners.add(callback);
      return () => void listeners.delete(callback);
    },
  };
}

function updateProblem(update: ConfigUpdate, earlier: readonly ConfigUpdate[]): string | null {
  const key = findConfigKey(update.key);
  if (key === undefined) return `There is no setting "${update.key.slice(0, 100)}"`;
  if (earlier.some((other) => findConfigKey(other.key) === key)) {
    return `${key.name} is named twice`;
  }
  const hasValue = Object.hasOwn(update, "value") && update.value !== undefined;
  if (update.unset === true) {
    return hasValue ? `${key.name} is given a value and unset at once` : null;
  }
  return hasValue ? key.problem(update.value) : `${key.name} is given no value`;
}

function changeDocument(document: ConfigDocument, update: ConfigUpdate): ConfigDocument {
  const key = findConfigKey(update.key);
  if (key === undefined) return document;
  return withValue(document, key, update.unset === true ? undefined : update.value);
}

function accepted(update: ConfigUpdate): ConfigResult {
  return findConfigKey(update.key)?.applies === "live"
    ? {
      key: update.key,
      effect: "accepted_reload_scheduled",
      reason: "It is saved, and requests after the reload use it",
    }
    : {
      key: update.key,
      effect: "accepted_requires_restart",
      reason: "It is saved, and takes effect when the server is started again",
    };
}

function rejected(
  updates: readonly ConfigUpdate[],
  problems: readonly (string | null)[],
): PatchOutcome {
  return {
    changed: false,
    results: updates.map((update, index) => ({
      key: update.key,
      effect: "rejected",
      reason: problems[index] ?? "Nothing was saved, since another change was refused",
    })),
  };
}

/** A new snapshot with the keys that need a restart as they were at the start. */
function keepRestartKeys(next: ConfigSnapshot, atStart: ConfigSnapshot): ConfigSnapshot {
  const settings: Record<string, Record<string, unknown>> = {};
  const explicit = new Set<string>();
  for (const key of CONFIG_KEYS) {
    const source = key.applies === "live" ? next : atStart;
    (settings[key.group] ??= {})[key.member] = settingOf(source, key);
    if (source.explicit.has(key.name)) explicit.add(key.name);
  }
  for (const group of Object.values(settings)) Object.freeze(group);
  return { settings: Object.freeze(settings) as unknown as Settings, explicit };
}

/** Tells every listener of `next`; where one refuses, those told before get `previous` again. */
async function announce(
  listeners: ReadonlySet<SnapshotListener>,
  next: ConfigSnapshot,
  previous: ConfigSnapshot,
): Promise<void> {
  const told: SnapshotListener[] = [];
  try {
    for (const listener of [...listeners]) {
      told.push(listener);
      await listener(next);
    }
  } catch (error) {
    for (const listener of told) {
      try {
        await listener(previous);
      } catch {
        // The first refusal is the one that is reported.
      }
    }
    throw error;
  }
}
