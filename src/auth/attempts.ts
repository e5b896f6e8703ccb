/**
 * Counts wrong credentials, by client and in all (`design.md` decision 13). The count never stands
 * in the way of a right one: it only decides how a wrong one is refused.
 *
 * @module
 */

/** Wrong credentials that a client, or all together, may present before they are put off. */
interface Allowance {
  readonly burst: number;
  /** How long until one more is allowed, in ms. */
  readonly everyMs: number;
}

const EACH: Allowance = { burst: 20, everyMs: 3_000 };
const ALL: Allowance = { burst: 200, everyMs: 100 };

/** Clients that are remembered; the one that was quiet longest is forgotten first. */
const MAX_CLIENTS = 4_096;
/** Pause between notices, in ms. */
const NOTICE_EVERY_MS = 60_000;

/** The count. */
export interface Attempts {
  /**
   * Notes a wrong credential.
   *
   * @param client the client's address; `null` where nobody knows
   * @param repeat what was presented, where presenting it again is no new attempt: pages send a
   * cookie that has ended over and over
   * @returns how long to put the client off, in whole seconds; 0 while it has attempts left
   */
  note(client: string | null, repeat?: string): number;
  /** Clients that are remembered. */
  readonly clients: number;
}

/** What the count needs. */
export interface AttemptsOptions {
  readonly clock: { monotonic(): number };
  /** Told, at most once a minute, that a client tries too often. */
  readonly onNotice?: (sentence: string) => void;
}

/** What is left of an allowance, and since when it has been filling up again. */
interface Bucket {
  left: number;
  at: number;
  /** What was presented last, where that counts once only. */
  repeat: string | null;
}

/** Makes the count. */
export function createAttempts({ clock, onNotice }: AttemptsOptions): Attempts {
  const clients = new Map<string, Bucket>();
  const all: Bucket = { left: ALL.burst, at: clock.monotonic(), repeat: null };
  let noticedAt = -Infinity;

  function bucketOf(key: string, now: number): Bucket {
    const bucket = clients.get(key) ?? { left: EACH.burst, at: now, repeat: null };
    clients.delete(key);
    clients.set(key, bucket);
    if (clients.size > MAX_CLIENTS) {
      for (const oldest of clients.keys()) {
        clients.delete(oldest);
        break;
      }
    }
    return bucket;
  }

  function notice(client: string, now: number): void {
    if (now - noticedAt < NOTICE_EVERY_MS) return;
    noticedAt = now;
    onNotice?.(`wrong credentials keep coming, the last one from ${client}; they are refused`);
  }

  return {
    note(client, repeat) {
      const now = clock.monotonic();
      const bucket = bucketOf(clientKey(client), now);
      if (repeat !== undefined && bucket.repeat === repeat) return waitOf(bucket, EACH, now);
      bucket.repeat = repeat ?? bucket.repeat;
      // Who is put off already doesn't use up what all have together.
      const waitMs = take(bucket, EACH, now) || take(all, ALL, now);
      if (waitMs > 0) notice(client ?? "an unknown address", now);
      return Math.ceil(waitMs / 1_000);
    },
    get clients() {
      return clients.size;
    },
  };
}

// --- internal ---

/** An address; of IPv6 the network of a customer, since each has 2^64 addresses (RFC 6177). */
function clientKey(client: string | null): string {
  if (client === null || !client.includes(":")) return client ?? "";
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(client)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = "", tail] = client.toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail === undefined) return groups.slice(0, 4).join(":");
  const after = tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => "0");
  return [...groups, ...zeros, ...after].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

/** Takes one; gives how long until one is there where there is none, in ms. */
function take(bucket: Bucket, allowance: Allowance, now: number): number {
  refill(bucket, allowance, now);
  if (bucket.left < 1) return waitOf(bucket, allowance, now);
  bucket.left--;
  return 0;
}

function waitOf(bucket: Bucket, allowance: Allowance, now: number): number {
  refill(bucket, allowance, now);
  return bucket.left >= 1 ? 0 : (1 - bucket.left) * allowance.everyMs;
}

function refill(bucket: Bucket, { burst, everyMs }: Allowance, now: number): void {
  bucket.left = Math.min(burst, bucket.left + (now - bucket.at) / everyMs);
  bucket.at = now;
}
