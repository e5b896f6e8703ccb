/**
 * Which files have a precompressed sibling, told without looking for each: `a.js.br` beside `a.js`.
 *
 * @module
 */

import type { Moment } from "../host/moment.ts";
import type { Awaitable, Clock, FileStat, HostFiles } from "../host/types.ts";
import { HostError } from "../host/types.ts";
import type { ContentCoding } from "../http/accept_encoding.ts";
import { isSettled } from "../http/entity_tag.ts";

/** How a file is named that holds another one in a coding. */
export const SIDECAR_EXTENSIONS: ReadonlyMap<ContentCoding, string> = new Map([
  ["br", "br"],
  ["zstd", "zst"],
  ["gzip", "gz"],
]);

/** Says in which codings a file may lie beside another; to open one is another matter. */
export interface SidecarNames {
  /**
   * @param folder path of the directory that the file is in
   * @param name the file's name in it
   * @param moment the requests that the look is for
   */
  beside(folder: string, name: string, moment?: Moment): Awaitable<readonly ContentCoding[]>;
}

const NONE: readonly ContentCoding[] = [];

/** For a source whose files are sent as they are. */
export const NO_SIDECARS: SidecarNames = { beside: () => NONE };

/** Bounds on what is kept. */
const MAX_FOLDERS = 512;
const MAX_ENTRIES = 4096;

/** The sidecars of a folder, as long as the folder is what it was. */
interface Listing {
  readonly stat: FileStat;
  /** `null` when the folder has too many entries to list them. */
  readonly sidecars: ReadonlySet<string> | null;
}

/**
 * Makes the lookup. A folder is listed once and again whenever its metadata has changed, so that a
 * file without sidecars costs one look at its folder. Within two seconds of a change the metadata
 * can't tell of a second one; names are then looked up one by one.
 */
export function createSidecarNames(files: HostFiles, clock: Pick<Clock, "now">): SidecarNames {
  const listings = new Map<string, Listing>();

  async function listingOf(folder: string): Promise<Listing | null> {
    const stat = await files.stat(folder);
    const known = listings.get(folder);
    if (known !== undefined && isSame(known.stat, stat)) return known;
    listings.delete(folder);
    if (!isSettled(stat, clock.now())) return null;
    const listing = { stat, sidecars: await sidecarsIn(files, folder) };
    const [oldest] = listings.keys();
    if (oldest !== undefined && listings.size >= MAX_FOLDERS) listings.delete(oldest);
    listings.set(folder, listing);
    return listing;
  }

  /** Whether the folder is known to have no sidecars, told at once. */
  function hasNone(folder: string, moment?: Moment): boolean {
    const known = listings.get(folder);
    if (known?.sidecars?.size !== 0) return false;
    const stat = files.peek(folder, moment);
    return stat !== null && isSame(known.stat, stat);
  }

  async function look(folder: string, name: string): Promise<readonly ContentCoding[]> {
    try {
      const sidecars = (await listingOf(folder))?.sidecars;
      const found: ContentCoding[] = [];
      if (sidecars?.size === 0) return found;
      for (const [coding, extension] of SIDECAR_EXTENSIONS) {
        const sidecar = `${name}.${extension}`;
        const isThere = sidecars?.has(sidecar) ?? await exists(files, `${folder}/${sidecar}`);
        if (isThere) found.push(coding);
      }
      return found;
    } catch (error) {
      // The folder was moved meanwhile, or may be passed through but not listed.
      if (error instanceof HostError) return NONE;
      throw error;
    }
  }

  return { beside: (folder, name, moment) => hasNone(folder, moment) ? NONE : look(folder, name) };
}

// --- internal ---

function isSame(one: FileStat, other: FileStat): boolean {
  return one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs &&
    one.ino === other.ino && one.dev === other.dev;
}

async function sidecarsIn(files: HostFiles, folder: string): Promise<ReadonlySet<string> | null> {
  const entries = await files.list(folder, MAX_ENTRIES);
  if (entries.length === MAX_ENTRIES) return null;
  const endings = [...SIDECAR_EXTENSIONS.values()].map((extension) => `.${extension}`);
  return new Set(
    entries.map(({ name }) => name).filter((name) =>
      endings.some((ending) => name.endsWith(ending))
    ),
  );
}

async function exists(files: HostFiles, path: string): Promise<boolean> {
  try {
    await files.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof HostError) return false;
    throw error;
  }
}
