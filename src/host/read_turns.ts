/**
 * Bounds how many large reads run at once.
 *
 * @module
 */

/** More threads than this take the processor from the one that sends what they read. */
const MOST = 4;
/** A disk that keeps readers waiting for so long does better when it is asked for more at once. */
const PATIENCE_MS = 50;

/** A read that waits for its turn. */
interface Waiting {
  readonly since: number;
  readonly begin: () => void;
}

/** Gives turns to reads, first come, first served. */
export class ReadTurns {
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** Reads when it is its turn: soon, and where others hang after {@linkcode PATIENCE_MS}. */
  async take<T>(read: () => Promise<T>): Promise<T> {
    if (this.#running >= MOST) await this.#turn();
    this.#running++;
    try {
      return await read();
    } finally {
      this.#running--;
      this.#waiting.shift()?.begin();
    }
  }

  #turn(): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ since: performance.now(), begin });
      this.#timer ??= setTimeout(() => this.#losePatience(), PATIENCE_MS);
    });
  }

  #losePatience(): void {
    this.#timer = null;
    const latest = performance.now() - PATIENCE_MS;
    while (this.#waiting[0] !== undefined && this.#waiting[0].since <= latest) {
      this.#waiting.shift()?.begin();
    }
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#timer = setTimeout(() => this.#losePatience(), next.since - latest);
  }
}

/** The turns of the process, which its threads are shared by. */
export const readTurns: ReadTurns = new ReadTurns();
