/**
 * The sending side of a connection: writes that tell when the kernel has taken them.
 *
 * @module
 */

import type { Socket } from "node:net";
import type { SendProgress } from "./send_progress.ts";

/** Why a connection can't be written to any more. */
export type WireEnd = "client_gone" | "timed_out";

/** Writes to one socket. */
export class Wire {
  readonly progress: SendProgress;
  /** Called once when the client is gone. */
  onGone: (() => void) | null = null;
  readonly #socket: Socket;
  readonly #waiting = new Set<(taken: boolean) => void>();
  #end: WireEnd | null = null;
  #writes = 0;
  #sent = 0;

  constructor(socket: Socket, progress: SendProgress) {
    this.#socket = socket;
    this.progress = progress;
  }

  /** Why nothing can be sent any more; `null` while the client is there. */
  get end(): WireEnd | null {
    return this.#end;
  }

  /** How many writes there have been. */
  get writes(): number {
    return this.#writes;
  }

  /** How many bytes the kernel has taken. */
  get sent(): number {
    return this.#sent;
  }

  /**
   * Writes bytes, which must not change until this resolves: true once the kernel has taken them
   * all, false when the client is gone.
   */
  send(bytes: Uint8Array): Promise<boolean> {
    if (this.#end !== null) return Promise.resolve(false);
    this.#writes++;
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      this.progress.began();
      this.#socket.write(bytes, (error) => {
        if (!this.#waiting.delete(resolve)) return;
        // An error is followed by the socket's end, which settles what waits.
        if (error) return void this.#waiting.add(resolve);
        this.#sent += bytes.length;
        this.progress.taken(bytes.length);
        resolve(true);
      });
    });
  }

  /** Notes that the client is gone: whatever waits resolves to false. */
  leave(end: WireEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#waiting.forEach((resolve) => resolve(false));
    this.#waiting.clear();
    this.onGone?.();
    this.onGone = null;
  }

  /** Cuts the connection; the kernel may still deliver what it has taken. */
  destroy(): void {
    this.#socket.destroy();
  }

  /** Cuts the connection so that the client sees an error and the kernel drops what it holds. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }
}
