/**
 * Looks for files of the app that is checked, by the rules that serving goes by.
 *
 * @module
 */

import { Fault } from "../../fault.ts";
import type { OpenedFile } from "../../host/types.ts";
import type { CheckedFolder, FolderIndex } from "./folder_walk.ts";

/** What is at a path. */
export type Found =
  | { readonly kind: "file"; readonly name: string }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly message: string };

/** Texts that are longer are not read. */
const MAX_TEXT = 4 * 1024 * 1024;

/** Looks paths up, each once. */
export class Lookup {
  readonly #folder: CheckedFolder;
  readonly #index: FolderIndex;
  readonly #found = new Map<string, Found>();
  /** Paths by their form without case and with composed letters. */
  readonly #similar = new Map<string, string>();

  constructor(folder: CheckedFolder, index: FolderIndex) {
    this.#folder = folder;
    this.#index = index;
    for (const path of [...index.files, ...index.folders]) this.#similar.set(fold(path), path);
  }

  /** What would answer at a path. */
  async find(path: string): Promise<Found> {
    const known = this.#found.get(path);
    if (known !== undefined) return known;
    const found = await this.#look(path);
    this.#found.set(path, found);
    return found;
  }

  /** A path that differs from this one in case or in the form of its letters only. */
  similarTo(path: string): string | null {
    if (this.#index.files.has(path) || this.#index.folders.has(path)) return null;
    return this.#similar.get(fold(path)) ?? null;
  }

  isFile(path: string): boolean {
    return this.#index.files.has(path);
  }

  isFolder(path: string): boolean {
    return this.#index.folders.has(path);
  }

  /** The text of a file; `null` where it can't be read, or is too long. */
  async read(path: string): Promise<string | null> {
    let file: OpenedFile;
    try {
      ({ file } = await this.#folder.source.open(path.split("/")));
    } catch (error) {
      if (error instanceof Fault) return null;
      throw error;
    }
    try {
      return file.stat.size > MAX_TEXT ? null : await textOf(file);
    } finally {
      file.close();
    }
  }

  async #look(path: string): Promise<Found> {
    try {
      const { file, name } = await this.#folder.source.open(path.split("/"));
      file.close();
      return { kind: "file", name };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.code === "not_found") return { kind: "missing" };
      return { kind: "refused", message: error.message };
    }
  }
}

// --- internal ---

function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

async function textOf(file: OpenedFile): Promise<string> {
  const bytes = new Uint8Array(file.stat.size);
  let filled = 0;
  while (filled < bytes.byteLength) {
    const count = await file.read(bytes.subarray(filled), filled);
    if (count === 0) break;
    filled += count;
  }
  return new TextDecoder().decode(bytes.subarray(0, filled));
}
