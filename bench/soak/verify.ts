/**
 * Holds what the server has in the end against what it has acknowledged and told.
 *
 * @module
 */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SoakClient } from "./client.ts";
import type { Ledger } from "./ledger.ts";
import { waitFor } from "./pace.ts";
import type { Follower } from "./streams.ts";
import type { Tally } from "./tally.ts";

/** What was looked at. */
export interface Verified {
  readonly acknowledged: number;
  readonly present: number;
  readonly settledAcknowledged: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly events: Readonly<Record<string, number>>;
}

interface Message {
  readonly id: string;
  readonly status: string;
  readonly payload: { readonly nonce?: string } | null;
}

/** Every acknowledged message is there, once, with the status that was acknowledged. */
export async function verifyMessages(
  client: SoakClient,
  ledger: Ledger,
): Promise<Omit<Verified, "events">> {
  const { tally } = client;
  const present = new Map<string, Message>();
  const byStatus: Record<string, number> = {};
  for (const agent of ["main", "shell"]) {
    for await (const message of listed(client, agent)) {
      const nonce = message.payload?.nonce ?? "";
      const entry = ledger.byNonce.get(nonce);
      tally.check(entry !== undefined, `${message.id} has the nonce ${nonce}, which nobody sent`);
      tally.check(!present.has(nonce), `${nonce} is there twice`);
      present.set(nonce, message);
      byStatus[message.status] = (byStatus[message.status] ?? 0) + 1;
      if (entry === undefined) continue;
      tally.check(entry.id === message.id, `${nonce} is ${message.id}, not ${entry.id}`);
      const isRight = entry.settled === null
        ? ["cancelled", "failed", "succeeded"].includes(message.status)
        : entry.settled === message.status;
      tally.check(isRight, `${message.id} is ${message.status}, not ${entry.settled ?? "settled"}`);
    }
  }
  for (const { nonce, id } of ledger.byId.values()) {
    tally.check(present.has(nonce), `${id} was acknowledged and is lost`);
  }
  return {
    acknowledged: ledger.byId.size,
    present: present.size,
    settledAcknowledged: ledger.settled,
    byStatus,
  };
}

async function* listed(client: SoakClient, agent: string): AsyncGenerator<Message> {
  let before = "";
  for (;;) {
    const path = `/api/agents/${agent}/messages?limit=200${before}`;
    const answer = await client.call({ kind: "list", path, allowed: [200] });
    if (answer === null) return;
    const body = JSON.parse(answer.body.toString());
    yield* body.messages as readonly Message[];
    if (body.next_before === null) return;
    before = `&before=${body.next_before}`;
  }
}

/** What has to be given back once all clients have gone. */
const GIVEN_BACK = [
  "holon_asset_permits_in_use",
  "holon_event_streams",
  "holon_live_reload_apps",
  "holon_live_reload_folders",
];

/** Nothing is held for clients that have gone. */
export async function verifyGivenBack(client: SoakClient): Promise<void> {
  let held: readonly string[] = ["no figures"];
  await waitFor(async () => {
    const call = { kind: "look", path: "/api/metrics", allowed: [200] };
    const text = (await client.call(call))?.body.toString() ?? "";
    held = GIVEN_BACK.filter((name) => !new RegExp(`^${name} 0$`, "m").test(text));
    return held.length === 0;
  }, 20_000);
  client.tally.check(held.length === 0, `still held: ${held.join(", ")}`);
}

/**
 * Events are numbered 1, 2, 3 … in the database, which is sound; and each follower has seen just
 * these, but for what a gap told of. The server has ended.
 */
export function verifyEvents(
  home: string,
  followers: readonly Follower[],
  tally: Tally,
): Verified["events"] {
  const database = new DatabaseSync(join(home, "holon.db"));
  try {
    const [check] = Object.values(database.prepare("PRAGMA integrity_check").get() ?? {});
    tally.check(check === "ok", `integrity_check: ${check}`);
    const topics = database.prepare("SELECT topic, newest FROM event_topics").all();
    const events: Record<string, number> = {};
    for (const { topic, newest } of topics) {
      const row = database.prepare(
        "SELECT count(*) AS n, min(sequence) AS low, max(sequence) AS high FROM events WHERE topic = ?",
      ).get(String(topic));
      const { n, low, high } = row as Record<string, number>;
      events[String(topic)] = Number(newest);
      const isDense = low === 1 && high === newest && n === newest;
      tally.check(isDense, `${topic}: ${n} events from ${low} to ${high}, newest ${newest}`);
    }
    const rows = database.prepare(
      "SELECT sequence, type, message_id, origin FROM events WHERE topic = 'agent:main'",
    ).all() as unknown as readonly EventRow[];
    for (const follower of followers) verifyFollower(follower, rows, tally);
    return events;
  } finally {
    database.close();
  }
}

interface EventRow {
  readonly sequence: number;
  readonly type: string;
  readonly message_id: string;
  readonly origin: string;
}

function verifyFollower(follower: Follower, rows: readonly EventRow[], tally: Tally): void {
  const { options: { name, whole }, seen, gaps } = follower;
  const start = follower.start ?? 0;
  const rest = new Map(seen);
  for (const { sequence, type, message_id, origin } of rows) {
    if (sequence <= start || !(whole || origin === name)) continue;
    const told = rest.get(sequence);
    rest.delete(sequence);
    if (told === undefined) {
      const isKnown = gaps.some(({ from, to }) => sequence >= from && sequence <= to);
      tally.check(isKnown, `${name} never saw event ${sequence}`);
    } else {
      const is = `${type} ${message_id}`;
      tally.check(told === is, `${name}: event ${sequence} was "${told}" and is "${is}"`);
    }
  }
  tally.check(rest.size === 0, `${name} saw ${rest.size} events that are not there`);
}
