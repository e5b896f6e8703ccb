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
import type { MemoryFile } from "./memory_file.ts";
import type { FileStat, OpenedFile, Sharing } from "./types.ts";

/** A descriptor that several may use; the last one closes it. */
class Descriptor implements Sharing {
  readonly number: number;
  copy: MemoryFile | null = null;
  users = 0;
  reads = 0;

  constructor(number: number) {
    this.number = number;
  }

  /** Under a read the number could be given to another file: the last read closes it. */
  closeUnused(): void {
    if (this.users === 0 && this.reads === 0) closeSync(this.number);
  }
}

/** A file by its descriptor, which it owns from now on. */
export class DescriptorFile implements OpenedFile {
  #stat: FileStat;
  readonly #shared: Descriptor;
  #closed = false;

  constructor(descriptor: number | Descriptor, stat: FileStat) {
    this.#shared = typeof descriptor === "number" ? new Descriptor(descriptor) : descriptor;
    this.#shared.users++;
    this.#stat = stat;
  }

  /** The descriptor, for as long as the file is open. */
  get descriptor(): number {
    return this.#shared.number;
  }

  get stat(): FileStat {
    return this.#stat;
  }

  get sharing(): Sharing {
    return this.#shared;
  }

  /** The same file for another user; `null` once nobody has it open. */
  share(): DescriptorFile | null {
    return this.#shared.users === 0 ? null : new DescriptorFile(this.#shared, this.#stat);
  }

  refresh(): void {
    this.#stat = this.statNow();
  }

  read(view: Uint8Array, position: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#requireOpen();
      const shared = this.#shared;
      shared.reads++;
      read(shared.number, view, 0, view.length, position, (error, count) => {
        shared.reads--;
        shared.closeUnused();
        if (error) reject(hostError(error, "Reading a file"));
        else resolve(count);
      });
    });
  }

  readSync(view: Uint8Array, position: number): number {
    this.#requireOpen();
    try {
      return readSync(this.#shared.number, view, 0, view.length, position);
    } catch (error) {
      throw hostError(error, "Reading a file");
    }
  }

  statNow(): FileStat {
    this.#requireOpen();
    try {
      return fstatSync(this.#shared.number);
    } catch (error) {
      throw hostError(error, "Examining an open file");
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#shared.users--;
    this.#shared.closeUnused();
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
