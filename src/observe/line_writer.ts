/**
 * Hands lines to an output in batches, within a bound: what finds no room is dropped and counted.
 *
 * @module
 */

/** Where lines go. Called again only once the call before has ended. */
export type WriteBytes = (bytes: Uint8Array) => Promise<void>;

/** What the writer works with. */
export interface LineWriterOptions {
  readonly write: WriteBytes;
  /** Characters that may wait, those being written included. */
  readonly limit?: number;
  /** How long lines are gathered, in ms. */
  readonly delayMs?: number;
  /** How long to wait after a write that failed, in ms. */
  readonly retryMs?: number;
  /** The line that says how many were dropped. */
  readonly droppedLine: (count: number) => string;
}

/** Writes lines, in order. */
export interface LineWriter {
  /** Takes a line with its end, or drops it. Never waits and never throws. */
  write(line: string): void;
  /** Resolves once all lines that were taken are written or dropped. */
  flush(): Promise<void>;
  /** Lines that were dropped so far. */
  readonly dropped: number;
}

const LIMIT = 1024 * 1024;
const DELAY_MS = 50;
const RETRY_MS = 1000;

/** Makes a writer; an output that fails is tried again with later lines. */
export function createLineWriter(options: LineWriterOptions): LineWriter {
  const { write, droppedLine, limit = LIMIT, delayMs = DELAY_MS, retryMs = RETRY_MS } = options;
  const encoder = new TextEncoder();
  let lines: string[] = [];
  let waiting = 0;
  let dropped = 0;
  let told = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let draining: Promise<void> | undefined;
  let failing = false;

  function schedule(): void {
    if (timer !== undefined || draining !== undefined) return;
    timer = setTimeout(drain, failing ? retryMs : delayMs);
  }

  function drain(): void {
    clearTimeout(timer);
    timer = undefined;
    draining ??= writeBatch().finally(() => {
      draining = undefined;
      if (lines.length > 0) schedule();
    });
  }

  async function writeBatch(): Promise<void> {
    const batch = lines;
    const size = waiting;
    const missing = dropped - told;
    lines = [];
    let text = batch.join("");
    if (missing > 0) text += droppedLine(missing);
    try {
      await write(encoder.encode(text));
      told += missing;
      failing = false;
    } catch {
      dropped += batch.length;
      failing = true;
    }
    waiting -= size;
  }

  return {
    write(line) {
      if (waiting + line.length > limit) {
        dropped++;
        return;
      }
      lines.push(line);
      waiting += line.length;
      schedule();
    },
    async flush() {
      while (lines.length > 0 || draining !== undefined) {
        if (draining === undefined) drain();
        await draining;
      }
    },
    get dropped() {
      return dropped;
    },
  };
}
