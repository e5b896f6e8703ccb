/**
 * Chooses what a file is sent from: the file itself, or one beside it that holds it compressed.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { Awaitable, OpenedFile } from "../host/types.ts";
import { acceptedCodings, type ContentCoding } from "../http/accept_encoding.ts";
import { extensionOf } from "../http/media_types.ts";
import { SIDECAR_EXTENSIONS } from "./sidecar_names.ts";
import type { FileSource, PublishedFile } from "./types.ts";

/** What is sent for a file. */
export interface Representation {
  readonly file: OpenedFile;
  /** Path of what is sent, below the app's root. */
  readonly path: string;
  /** The coding that it is in; `null` for the file itself. */
  readonly coding: ContentCoding | null;
  /** Whether other clients may be sent something else. */
  readonly varies: boolean;
}

/** Files that hold something compressed themselves: they are downloads, never decoded on the way. */
const ENCODED: ReadonlySet<string> = new Set([...SIDECAR_EXTENSIONS.values(), "unityweb"]);

/**
 * Chooses among a file and its sidecars by `Accept-Encoding` (RFC 9110 §12.5.3). A sidecar counts
 * when it is a sound file of the app itself, not older than the file, not empty and no larger than
 * is allowed; else the file is sent, which every client understands. It closes what it doesn't
 * return.
 *
 * @param components of the file's path, as addressed
 * @param original the file, opened; it belongs to the outcome
 * @param limit the most bytes that a sidecar may have
 */
export function chooseRepresentation(
  source: FileSource,
  components: readonly string[],
  original: PublishedFile,
  acceptEncoding: string | null,
  limit: number,
): Awaitable<Representation> {
  const { file, name } = original;
  const path = components.join("/");
  const plain: Representation = { file, path, coding: null, varies: false };
  if (ENCODED.has(extensionOf(path)) || ENCODED.has(extensionOf(name))) return plain;
  const beside = source.codingsBeside(components);
  // Most files have nothing beside them, and are not to wait for that.
  if (!(beside instanceof Promise) && beside.length === 0) return plain;
  return choose(plain, beside, acceptEncoding, async (coding) => {
    const extension = `.${SIDECAR_EXTENSIONS.get(coding)}`;
    const sidecar = await openSidecar(source, withExtension(components, extension));
    if (sidecar === null) return null;
    const { size, mtimeMs } = sidecar.stat;
    if (size > 0 && size <= limit && mtimeMs >= file.stat.mtimeMs) {
      return { file: sidecar, path: path + extension, coding, varies: true };
    }
    sidecar.close();
    return null;
  });
}

// --- internal ---

/** The first sound sidecar in the order of what is accepted; else the file itself. */
async function choose(
  plain: Representation,
  codings: Awaitable<readonly ContentCoding[]>,
  acceptEncoding: string | null,
  open: (coding: ContentCoding) => Promise<Representation | null>,
): Promise<Representation> {
  try {
    const beside = await codings;
    if (beside.length === 0) return plain;
    for (const coding of acceptedCodings(acceptEncoding)) {
      const chosen = beside.includes(coding) ? await open(coding) : null;
      if (chosen === null) continue;
      plain.file.close();
      return chosen;
    }
    return { ...plain, varies: true };
  } catch (error) {
    plain.file.close();
    throw error;
  }
}

function withExtension(components: readonly string[], extension: string): readonly string[] {
  return [...components.slice(0, -1), `${components.at(-1)}${extension}`];
}

/** Whatever is wrong with it: there is still the file itself to send. */
async function openSidecar(
  source: FileSource,
  components: readonly string[],
): Promise<OpenedFile | null> {
  try {
    return (await source.open(components)).file;
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}
