/**
 * Begins requests that were received together at once.
 *
 * @module
 */

import { setImmediate } from "node:timers";
import { Moment } from "../moment.ts";

/** Begins the answer to a request. */
type Begin = (moment: Moment) => void;

/** Requests that were received and not begun yet; one for all connections of a listener. */
export class Arrivals {
  #waiting: Begin[] = [];

  /** Begins after what else came in has been received, in this turn of the event loop. */
  add(begin: Begin): void {
    if (this.#waiting.push(begin) === 1) setImmediate(() => this.#beginAll());
  }

  #beginAll(): void {
    const moment = new Moment();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const begin of waiting) begin(moment);
  }
}
