/**
 * Checks compressed files: whether one is sent for the file beside it, and holds what that does.
 *
 * @module
 */

import type { OpenedFile } from "../../host/types.ts";
import { Fault } from "../../fault.ts";
import { extensionOf } from "../../http/media_types.ts";
import { SIDECAR_EXTENSIONS } from "../sidecar_names.ts";
import type { CheckedFolder, FolderIndex } from "./folder_walk.ts";

/** What the runtimes call the codings; not each of them has each. */
const FORMATS: Readonly<Record<string, string>> = { br: "brotli", gz: "gzip", zst: "zstd" };

const CHUNK_BYTES = 64 * 1024;

/** Looks at every compressed file of an index. */
export async function checkSidecars(folder: CheckedFolder, index: FolderIndex): Promise<void> {
  const { findings, settings } = folder;
  const extensions = [...SIDECAR_EXTENSIONS.values()];
  for (const path of index.files) {
    const extension = extensionOf(path);
    if (extension !== "unityweb" && !extensions.includes(extension)) continue;
    const original = path.slice(0, -extension.length - 1);
    const isSidecar = extension !== "unityweb" && index.files.has(original) &&
      settings.precompressed && !extensions.includes(extensionOf(original));
    if (isSidecar) await checkSidecar(folder, path, original, extension);
    else if (extension === "unityweb" || !index.files.has(original)) {
      const problem = "Sent as it is: the browser won't decompress it";
      findings.add("note", "compressed_download", path, problem);
    }
  }
}

// --- internal ---

async function checkSidecar(
  { source, findings }: CheckedFolder,
  path: string,
  originalPath: string,
  extension: string,
): Promise<void> {
  const opened: OpenedFile[] = [];
  try {
    for (const each of [path, originalPath]) {
      opened.push((await source.open(each.split("/"))).file);
    }
    const [sidecar, original] = opened as [OpenedFile, OpenedFile];
    if (sidecar.stat.size === 0) {
      findings.add("warning", "sidecar_broken", path, `Empty, and so not sent for ${originalPath}`);
    } else if (sidecar.stat.mtimeMs < original.stat.mtimeMs) {
      const problem = `Older than ${originalPath}, and so not sent for it: compress it again`;
      findings.add("warning", "sidecar_stale", path, problem);
    } else if (await holds(sidecar, original, extension) === false) {
      const problem =
        `Sent for ${originalPath}, but doesn't hold what that does: compress it again`;
      findings.add("error", "sidecar_broken", path, problem);
    }
  } catch (error) {
    // Told already, by who looked at each file.
    if (!(error instanceof Fault)) throw error;
  } finally {
    for (const file of opened) file.close();
  }
}

/** Whether a compressed file holds another; `null` where this runtime can't tell. */
async function holds(
  sidecar: OpenedFile,
  original: OpenedFile,
  extension: string,
): Promise<boolean | null> {
  const decompression = decompressionOf(extension);
  if (decompression === null) return null;
  const reader = bytesOf(sidecar).pipeThrough(decompression).getReader();
  let position = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return position === original.stat.size;
      const same = new Uint8Array(value.byteLength);
      if (await fill(original, same, position) < same.byteLength) return false;
      if (!same.every((byte, index) => byte === value[index])) return false;
      position += value.byteLength;
    }
  } catch {
    return false;
  } finally {
    reader.cancel().catch(() => {});
  }
}

type Decompression = ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;

function decompressionOf(extension: string): Decompression | null {
  try {
    const format = FORMATS[extension] as CompressionFormat;
    return new DecompressionStream(format) as unknown as Decompression;
  } catch {
    return null;
  }
}

function bytesOf(file: OpenedFile): ReadableStream<Uint8Array<ArrayBuffer>> {
  let position = 0;
  return new ReadableStream({
    async pull(controller) {
      const chunk = new Uint8Array(CHUNK_BYTES);
      const count = await file.read(chunk, position);
      position += count;
      if (count === 0) controller.close();
      else controller.enqueue(chunk.subarray(0, count));
    },
  });
}

/** Reads until the view is full or the file ends; gives the count of bytes. */
async function fill(file: OpenedFile, view: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (filled < view.byteLength) {
    const count = await file.read(view.subarray(filled), position + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}
