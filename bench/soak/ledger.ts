/**
 * What the server has acknowledged, to be held against what it has in the end.
 *
 * @module
 */

/** How a message was settled, as far as an answer said so. */
export type Settled = "cancelled" | "failed" | "succeeded";

/** One message that was sent. */
export interface Entry {
  readonly nonce: string;
  readonly agent: string;
  /** Its id; `null` until the server has acknowledged it. */
  id: string | null;
  settled: Settled | null;
}

/** All messages of a run. */
export class Ledger {
  readonly byNonce: Map<string, Entry> = new Map();
  readonly byId: Map<string, Entry> = new Map();
  #next = 0;

  /** A message that is about to be sent. */
  begin(agent: string): Entry {
    const entry: Entry = { nonce: `n${this.#next++}`, agent, id: null, settled: null };
    this.byNonce.set(entry.nonce, entry);
    return entry;
  }

  /** The server has taken it: from now on it must not be lost. */
  acknowledge(entry: Entry, id: string): void {
    entry.id = id;
    this.byId.set(id, entry);
  }

  /** The messages whose status was acknowledged. */
  get settled(): number {
    return [...this.byNonce.values()].filter(({ settled }) => settled !== null).length;
  }
}
