/**
 * The byte stream of a file range, and its one end.
 *
 * @module
 */

import { isRewritten } from "../host/rewritten.ts";
import type { FileBody, OpenedFile } from "../host/types.ts";

/** How much is read at once where the reader brings no buffer of its own (contract: 64 KiB). */
const CHUNK_BYTES = 64 * 1024;

/** A file range with the stream that sends it. */
export interface StreamedFile {
  readonly body: FileBody;
  readonly stream: ReadableStream<Uint8Array>;
}

/** What is given back at the end; it refers to nothing that a stream or a response holds. */
interface Holding {
  readonly file: OpenedFile;
  readonly release: () => void;
  ended: boolean;
}

/**
 * The last resort: where neither the stream nor its `FileBody` is reachable any more, nobody can
 * end the body, so the holding is given back here. Some runtimes end the process when they collect
 * an open handle.
 */
const forgotten = new FinalizationRegistry<Holding>(giveBack);

/**
 * Makes the byte stream of `[start, end)` of a file. It fills the view that a BYOB reader brings and
 * otherwise hands out chunks of 64 KiB; it stops at `end` however the file grew, and errors where
 * the file has become shorter or was rewritten, so that a client can tell. The handle is closed and `release` called
 * once: at the end, on an error, on cancel, or when `finish` is called.
 *
 * @param blocking whether ranges of up to 64 KiB are read at once (`design.md` decision 21)
 */
export function streamFile(
  file: OpenedFile,
  start: number,
  end: number,
  release: () => void,
  blocking: boolean,
): StreamedFile {
  const holding: Holding = { file, release, ended: false };
  // Both sides hold `body`, and the registry watches it: it is collected once both are gone.
  const body: FileBody = { file, start, end, finish: () => finish(holding) };
  forgotten.register(body, holding, holding);
  const source = new RangeSource(body, holding, blocking && end - start <= CHUNK_BYTES);
  return { body, stream: new ReadableStream(source) };
}

/**
 * The same without a stream, for a listener that sends the file by itself and always ends it.
 */
export function holdFile(
  file: OpenedFile,
  start: number,
  end: number,
  release: () => void,
): FileBody {
  const holding: Holding = { file, release, ended: false };
  return { file, start, end, finish: () => giveBack(holding) };
}

// --- internal ---

function giveBack(holding: Holding): void {
  if (holding.ended) return;
  holding.ended = true;
  holding.file.close();
  holding.release();
}

function finish(holding: Holding): void {
  forgotten.unregister(holding);
  giveBack(holding);
}

class RangeSource implements UnderlyingByteSource {
  readonly type = "bytes";
  readonly #body: FileBody;
  readonly #holding: Holding;
  readonly #atOnce: boolean;
  #position: number;

  constructor(body: FileBody, holding: Holding, atOnce: boolean) {
    this.#body = body;
    this.#holding = holding;
    this.#atOnce = atOnce;
    this.#position = body.start;
  }

  pull(controller: ReadableByteStreamController): Promise<void> | void {
    const view = this.#nextView(controller);
    try {
      this.#requireOpen();
      if (this.#atOnce) {
        this.#deliver(controller, view, this.#body.file.readSync(view, this.#position));
        return;
      }
      return this.#body.file.read(view, this.#position).then(
        (count) => this.#deliver(controller, view, count),
      ).catch((error) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
  }

  cancel(): void {
    this.#body.finish();
  }

  /** The reader's own buffer where it brought one, no longer than what is left to send. */
  #nextView(controller: ReadableByteStreamController): Uint8Array<ArrayBuffer> {
    const left = this.#body.end - this.#position;
    const given = controller.byobRequest?.view;
    if (given) {
      const length = Math.min(given.byteLength, left);
      return new Uint8Array(given.buffer as ArrayBuffer, given.byteOffset, length);
    }
    return new Uint8Array(Math.min(CHUNK_BYTES, left));
  }

  #deliver(
    controller: ReadableByteStreamController,
    view: Uint8Array<ArrayBuffer>,
    count: number,
  ): void {
    this.#requireOpen();
    if (count === 0 || isRewritten(this.#body.file)) {
      throw new Error("The file changed while it was sent");
    }
    this.#position += count;
    const isLast = this.#position >= this.#body.end;
    // The handle goes back before the reader can learn of the end.
    if (isLast) this.#body.finish();
    const request = controller.byobRequest;
    if (request === null) controller.enqueue(view.subarray(0, count));
    else request.respond(count);
    if (isLast) controller.close();
  }

  #requireOpen(): void {
    if (this.#holding.ended) throw new Error("The body of this response has ended already");
  }

  #fail(error: unknown): never {
    this.#body.finish();
    throw error;
  }
}
