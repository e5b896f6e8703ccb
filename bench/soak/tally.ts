/**
 * What a soak counts, and what it holds against the server.
 *
 * @module
 */

/** Violations whose sentences are kept; all are counted. */
const MOST_SENTENCES = 40;

/** Counters of one run. */
export class Tally {
  /** Answers by what was asked and the status, such as `range 206`. */
  readonly answers: Map<string, number> = new Map();
  /** Whatever else happened, by name. */
  readonly counts: Map<string, number> = new Map();
  readonly sentences: string[] = [];
  violations = 0;
  readonly #started = Date.now();

  /** Counts an answer, and holds it against the server where the status is none of those allowed. */
  answer(kind: string, status: number, allowed: readonly number[], detail = ""): void {
    const key = `${kind} ${status}`;
    this.answers.set(key, (this.answers.get(key) ?? 0) + 1);
    if (!allowed.includes(status)) this.violation(`${key}: ${detail.slice(0, 160)}`);
  }

  count(name: string, by = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + by);
  }

  /** Notes what must not be. */
  violation(sentence: string): void {
    this.violations++;
    const at = ((Date.now() - this.#started) / 1000).toFixed(1);
    if (this.sentences.length < MOST_SENTENCES) this.sentences.push(`${at} s: ${sentence}`);
  }

  /** Holds against the server what is not so. */
  check(condition: boolean, sentence: string): void {
    if (!condition) this.violation(sentence);
  }

  get requests(): number {
    return [...this.answers.values()].reduce((sum, count) => sum + count, 0);
  }
}
