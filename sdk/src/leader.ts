import type { EventGap } from "../holon.d.ts";
import type { Transport } from "./call.ts";
import type { HolonError } from "./error.ts";
import { follow } from "./follow.ts";
import type { Message } from "./messages.ts";
import type { Rider } from "./rider.ts";
import { onPressure, takeSlot } from "./slots.ts";

/** Events kept for pages that join late. */
const KEPT = 256;

/** Pages that answer a new leader's call do so within this. */
const GATHER_MS = 30;

/** What a leader needs. */
export interface LeaderOptions {
  readonly transport: Transport;
  readonly url: string;
  /** The position that this page's own readers need. */
  readonly after: number | null;
  /** Ends the term. */
  readonly signal: AbortSignal;
  /** Tells every page, this one included. */
  readonly emit: (message: Message) => void;
  /** This page is hidden and another one should lead. */
  readonly stepDown: () => void;
  /** Told of what else comes on the stream. */
  readonly rider: Rider | null;
}

/**
 * The page that holds the one connection to a stream and passes on what comes. It keeps the newest
 * events, so that a page that joins behind them needs no connection either; for a page that needs
 * older ones it connects anew from there, and every page skips what it has seen.
 */
export class Leader {
  readonly #options: LeaderOptions;
  #kept: { readonly sequence: number; readonly data: unknown }[] = [];
  /** All events after this one are kept; `null` while no position is known. */
  #floor: number | null = null;
  #newest: number | null = null;
  #wanted: number | null;
  #connection: AbortController | null = null;
  #open = false;

  constructor(options: LeaderOptions) {
    this.#options = options;
    this.#wanted = options.after;
  }

  /** Leads until the term ends, or the server refuses (which every page is told). */
  async lead(): Promise<void> {
    const { emit, signal, stepDown } = this.#options;
    emit({ kind: "lead" });
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    if (signal.aborted) return;
    const stopListening = onPressure(stepDown);
    let release: (() => void) | undefined;
    try {
      release = await takeSlot(signal);
      while (!signal.aborted) await this.#follow();
    } catch (error) {
      if (signal.aborted) return;
      const { message, status, code, hint } = error as HolonError;
      emit({ kind: "refused", message, status: status ?? 0, code: code ?? "unreachable", hint });
    } finally {
      stopListening();
      release?.();
    }
  }

  /** A page's readers need what came after `after` (`null`: only what comes next). */
  serve(page: string, after: number | null, visible: boolean): void {
    if (this.#connection === null) {
      // Not connected yet: it begins where the neediest page is.
      if (after !== null) this.#wanted = Math.min(after, this.#wanted ?? after);
      if (visible && document.visibilityState === "hidden") this.#options.stepDown();
      return;
    }
    if (this.#open) this.#options.emit({ kind: "open", newest: this.#newest });
    if (after === null) return;
    const ahead = this.#newest !== null && after > this.#newest;
    if (this.#floor === null || after < this.#floor || ahead) {
      this.#wanted = after;
      this.#connection.abort();
      return;
    }
    for (const { sequence, data } of this.#kept) {
      if (sequence > after) this.#options.emit({ kind: "event", page, sequence, data });
    }
  }

  /** Follows from the wanted position until the term ends or a page needs an older one. */
  async #follow(): Promise<void> {
    const { transport, url, signal, emit, rider } = this.#options;
    const connection = new AbortController();
    this.#connection = connection;
    this.#open = false;
    this.#kept = [];
    this.#floor = this.#wanted;
    await follow({
      transport,
      url,
      after: this.#wanted === null ? null : String(this.#wanted),
      reconnect: true,
      signal: AbortSignal.any([signal, connection.signal]),
      onOpen: (newest) => {
        this.#open = true;
        if (newest !== null) this.#newest = Math.max(Number(newest), this.#newest ?? 0);
        this.#floor ??= this.#newest;
        emit({ kind: "open", newest: this.#newest });
      },
      onEvent: (id, data) => this.#pass(id === undefined ? null : Number(id), data),
      onGap: (gap) => this.#lose(gap),
      onAlive: () => emit({ kind: "alive" }),
      onOther: ({ data }) => rider?.(data),
      onDown: () => {
        this.#open = false;
        rider?.(null);
        emit({ kind: "down" });
      },
    }).finally(() => rider?.(null));
  }

  #pass(sequence: number | null, data: unknown): void {
    this.#options.emit({ kind: "event", page: null, sequence, data });
    if (sequence === null) return;
    this.#newest = Math.max(sequence, this.#newest ?? 0);
    this.#floor ??= sequence - 1;
    this.#kept.push({ sequence, data });
    if (this.#kept.length > KEPT) this.#floor = this.#kept.shift()!.sequence;
  }

  #lose(gap: EventGap): void {
    this.#kept = [];
    this.#floor = Math.max(0, gap.oldest - 1);
    this.#newest = null;
    this.#options.emit({ kind: "gap", gap });
  }
}
