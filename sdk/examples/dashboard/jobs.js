/**
 * What became of the requests, worked out from their events. Nothing in here touches the page.
 *
 * A job: { id, name, state, askedAt, startedAt, endedAt }, times in ms since the epoch or null.
 */

/** The state that each event leads to. Later servers may send others: they are left out. */
const STATES = {
  message_enqueued: "waiting",
  message_requeued: "waiting",
  message_processing_started: "working",
  message_succeeded: "done",
  message_failed: "failed",
  message_cancelled: "cancelled",
};

/** Older jobs are forgotten. */
const KEPT = 200;

const MINUTE = 60_000;

/** Makes a request id that carries a name, so that every browser can show it. */
export function requestIdOf(name) {
  return `${name}~${crypto.randomUUID?.() ?? Math.random().toString(36).slice(2)}`;
}

export class Jobs {
  /** Number of the newest event that has been counted: where the stream goes on after a reload. */
  last = 0;
  #jobs = new Map();

  /** @param saved what JSON made of another one, or anything */
  constructor(saved) {
    if (!Number.isSafeInteger(saved?.last) || !Array.isArray(saved.jobs)) return;
    this.last = saved.last;
    for (const job of saved.jobs) this.#jobs.set(job.id, job);
  }

  toJSON() {
    return { last: this.last, jobs: [...this.#jobs.values()] };
  }

  /** Counts an event of `Holon.events()`. */
  apply({ sequence, type, timestamp, message_id: id, request_id }) {
    this.last = sequence;
    const state = STATES[type];
    if (state === undefined) return;
    const at = Date.parse(timestamp);
    const job = this.#jobs.get(id) ??
      { id, name: nameOf(request_id), askedAt: at, startedAt: null, endedAt: null };
    job.state = state;
    if (state === "working") job.startedAt = at;
    job.endedAt = state === "waiting" || state === "working" ? null : at;
    this.#jobs.set(id, job);
    if (this.#jobs.size > KEPT) this.#jobs.delete(this.#jobs.keys().next().value);
  }

  /**
   * Events between two numbers are lost. What was under way may have ended meanwhile.
   *
   * @returns how many jobs there is no word of now
   */
  lose({ after, oldest }) {
    // Numbers begin anew in a new home: what is known is of another one.
    if (oldest <= after) this.#jobs.clear();
    this.last = Math.max(0, oldest - 1);
    const open = [...this.#jobs.values()].filter(isOpen);
    for (const job of open) job.state = "unknown";
    return open.length;
  }

  /** Jobs by state. */
  counts() {
    const counts = { waiting: 0, working: 0, done: 0, failed: 0 };
    for (const { state } of this.#jobs.values()) if (state in counts) counts[state]++;
    return counts;
  }

  /** The latest jobs, newest first. */
  latest(count) {
    return [...this.#jobs.values()].slice(-count).reverse();
  }

  /** What ended in each of the last minutes, oldest first: [{ done, failed }]. */
  minutes(count, now) {
    const minutes = Array.from({ length: count }, () => ({ done: 0, failed: 0 }));
    const first = Math.floor(now / MINUTE) - count + 1;
    for (const { state, endedAt } of this.#jobs.values()) {
      const minute = endedAt === null ? undefined : minutes[Math.floor(endedAt / MINUTE) - first];
      if (minute !== undefined && state in minute) minute[state]++;
    }
    return minutes;
  }
}

function isOpen({ state }) {
  return state === "waiting" || state === "working";
}

function nameOf(requestId) {
  return requestId?.split("~")[0] || "request";
}
