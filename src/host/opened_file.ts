/**
 * An open file on a raw descriptor. Never a `FileHandle`: one that the garbage collector finds open
 * ends the process on Bun and on newer Nodes.
 *
 * @module
 */

import { closeSync, read, readSync } from "node:fs";
import { fstatSync } from "./examine.ts";
import type { FileCalls } from "./file_calls.ts";
import { hostError } from "./host_error.ts";
import type { FileStat, OpenedFile } from "./types.ts";

/** A file by its descriptor, which it owns from now on. */
export class DescriptorFile implements OpenedFile {
  #stat: FileStat;
  readonly #descriptor: number;
  #reading = 0;
  #closed = false;

  constructor(descriptor: number, stat: FileStat) {
    this.#descriptor = descriptor;
    this.#stat = stat;
  }

  /** The descriptor, for as long as the file is open. */
  get descriptor(): number {
    return this.#descriptor;
  }

  get stat(): FileStat {
    return this.#stat;
  }

  refresh(): void {
    this.#stat = this.statNow();
  }

  read(view: Uint8Array, position: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#requireOpen();
      this.#reading++;
      read(this.#descriptor, view, 0, view.length, position, (error, count) => {
        this.#reading--;
        if (this.#closed && this.#reading === 0) closeSync(this.#descriptor);
        if (error) reject(hostError(error, "Reading a file"));
        else resolve(count);
      });
    });
  }

  readSync(view: Uint8Array, position: number): number {
    this.#requireOpen();
    try {
      return readSync(this.#descriptor, view, 0, view.length, position);
    } catch (error) {
      throw hostError(error, "Reading a file");
    }
  }

  statNow(): FileStat {
    this.#requireOpen();
    try {
      return fstatSync(this.#descriptor);
    } catch (error) {
      throw hostError(error, "Examining an open file");
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // Under a read the number could be given to another file: the last read closes it.
    if (this.#reading === 0) closeSync(this.#descriptor);
  }

  #requireOpen(): void {
    if (this.#closed) throw hostError(new Error("The file is closed"), "Reading a file");
  }
}

/**
 * Opens a file and takes its metadata from the descriptor.
 *
 * @throws {HostError} when it can't be opened; nothing stays open then
 */
export async function openDescriptor(
  path: string,
  flags: number,
  calls: FileCalls,
): Promise<DescriptorFile> {
  let descriptor = -1;
  try {
    descriptor = await calls.open(path, flags);
    return new DescriptorFile(descriptor, await calls.fstat(descriptor));
  } catch (error) {
    if (descriptor >= 0) closeSync(descriptor);
    throw hostError(error, `Opening ${path}`);
  }
}
