/**
 * Apps as other capabilities and routes see them.
 *
 * @module
 */

import type { Moment } from "../host/moment.ts";
import type { Awaitable, OpenedFile } from "../host/types.ts";
import type { ContentCoding } from "../http/accept_encoding.ts";

/** What an app says of itself, or what is derived where it has no `manifest.json`. */
export interface AppManifest {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** Path of the entry page below the app's root. */
  readonly entry: string;
  readonly description: string | null;
  /** Whether its pages are cross-origin isolated, so that they may share memory with workers. */
  readonly isolation: boolean;
  /** Path of the page that answers navigations that no file answers; `null` for none. */
  readonly fallback: string | null;
}

/**
 * A sound app, in the shape that `GET /apps/{agent}` lists it in (`facts/holon.md` §a.2). What goes
 * beyond that shape is there only for an app that asks for it.
 */
export interface AppSummary {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly entry: string;
  readonly description: string | null;
  /** Path of its page, e.g. `/apps/main/ping-card/`. */
  readonly url: string;
  readonly isolation?: true;
  readonly fallback?: string;
}

/** A folder below `apps/`, sound or not. */
export interface AppInspection {
  /** The folder's name. */
  readonly id: string;
  /** `null` when the folder is not served. */
  readonly app: AppSummary | null;
  /** What is wrong with it, as a sentence; `null` when nothing is. */
  readonly problem: string | null;
}

/** A published file, opened. */
export interface PublishedFile {
  readonly file: OpenedFile;
  /** The file's own name, links resolved; its type goes by it. */
  readonly name: string;
}

/** Where an app's files come from: a folder now, a release's index later. */
export interface FileSource {
  /**
   * Opens a published file; the caller closes it.
   *
   * @param components of the path below the app's root, checked by `assetComponents()`
   * @param again whether it was opened before and is to be looked at anew
   * @throws {Fault} `not_found`, `forbidden`, `service_unavailable`, `app_host_error`
   */
  open(components: readonly string[], again?: boolean): Awaitable<PublishedFile>;
  /**
   * Codings in which a file may lie beside another one, e.g. `br` for `a.js.br` beside `a.js`. It
   * is cheap where there are none; whether one is sound is for {@linkcode open} to say.
   *
   * @param components of the other file's path
   */
  codingsBeside(components: readonly string[]): Awaitable<readonly ContentCoding[]>;
}

/** An app that was found and whose manifest is valid. */
export interface App {
  readonly agentId: string;
  readonly manifest: AppManifest;
  readonly files: FileSource;
}

/** The service that other capabilities use. */
export interface AppService {
  /**
   * Sound apps of an agent by id, ascending by bytes; none when it has no `apps/`.
   *
   * @throws {Fault} `bad_request`, `forbidden`, `not_found` for the agent
   */
  list(agentId: string): Promise<readonly AppSummary[]>;
  /** As {@linkcode list}, with the folders that are not served and what is wrong with them. */
  inspect(agentId: string): Promise<readonly AppInspection[]>;
  /**
   * Finds an app and validates its manifest.
   *
   * @throws {Fault} `bad_request`, `forbidden`, `not_found`, `invalid_app_manifest`
   */
  require(agentId: string, appId: string): Promise<App>;
  /**
   * As {@linkcode require}, for those who go on to open files: where the manifest's file is what it
   * was, the folder is looked at only when a file is opened. What is wrong with the folder itself
   * shows then.
   */
  requireForFiles(agentId: string, appId: string, moment?: Moment): Promise<App>;
}
