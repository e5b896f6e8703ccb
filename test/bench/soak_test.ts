import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, it } from "node:test";
import type { SoakClient } from "../../bench/soak/client.ts";
import { longestLife, type Look, quarters } from "../../bench/soak/figures.ts";
import { bigBytes } from "../../bench/soak/home.ts";
import { Ledger } from "../../bench/soak/ledger.ts";
import { Follower } from "../../bench/soak/streams.ts";
import { Tally } from "../../bench/soak/tally.ts";
import { verifyEvents, verifyMessages } from "../../bench/soak/verify.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";

describe("verifyMessages()", () => {
  const row = (nonce: string, status = "succeeded", id = `msg_${nonce}`) => ({
    id,
    status,
    payload: { nonce },
  });

  /** What is held against a server that has these messages, where two were acknowledged. */
  async function verdict(messages: readonly ReturnType<typeof row>[]): Promise<readonly string[]> {
    const tally = new Tally();
    const ledger = new Ledger();
    ledger.acknowledge(ledger.begin("main"), "msg_n0");
    const settled = ledger.begin("main");
    ledger.acknowledge(settled, "msg_n1");
    settled.settled = "failed";
    const call = ({ path }: { readonly path: string }) => {
      const listed = path.includes("/main/") ? messages : [];
      const body = JSON.stringify({ messages: listed, next_before: null });
      return Promise.resolve({ status: 200, headers: {}, body });
    };
    await verifyMessages({ tally, call } as unknown as SoakClient, ledger);
    return tally.sentences.map((sentence) => sentence.replace(/^[\d.]+ s: /, ""));
  }

  it("finds nothing where each is there as it was acknowledged", async () => {
    assert.deepEqual(await verdict([row("n0"), row("n1", "failed")]), []);
  });

  const faults: [what: string, messages: readonly ReturnType<typeof row>[], found: string][] = [
    ["lost", [row("n0")], "msg_n1 was acknowledged and is lost"],
    ["doubled", [row("n0"), row("n0"), row("n1", "failed")], "n0 is there twice"],
    ["another status", [row("n0"), row("n1")], "msg_n1 is succeeded, not failed"],
    ["unfinished", [row("n0", "queued"), row("n1", "failed")], "msg_n0 is queued, not settled"],
    ["another id", [row("n0", "failed", "x"), row("n1", "failed")], "n0 is x, not msg_n0"],
  ];
  for (const [what, messages, found] of faults) {
    it(`finds one that is ${what}`, async () => {
      assert.deepEqual(await verdict(messages), [found]);
    });
  }
});

describe("verifyEvents()", () => {
  let directory: TempDirectory;
  beforeEach(() => void (directory = tempDirectory()));
  afterEach(() => directory.remove());

  /** What is held against a database with these events, of which a reader saw others. */
  function verdict(stored: readonly number[], newest: number, seen: readonly number[]): number {
    const database = new DatabaseSync(join(directory.path, "holon.db"));
    database.exec(`
      CREATE TABLE event_topics (topic TEXT, newest INTEGER);
      CREATE TABLE events (
        topic TEXT, sequence INTEGER, type TEXT, message_id TEXT, origin TEXT
      )`);
    database.prepare("INSERT INTO event_topics VALUES ('agent:main', ?)").run(newest);
    for (const sequence of stored) {
      database.prepare("INSERT INTO events VALUES ('agent:main', ?, 'queued', ?, 'operator')")
        .run(sequence, `msg_${sequence}`);
    }
    database.close();
    const tally = new Tally();
    const follower = new Follower({ tally } as unknown as SoakClient, {
      name: "agent",
      path: "",
      resumable: true,
      whole: true,
    });
    follower.start = 1;
    for (const id of seen) follower.seen.set(id, `queued msg_${id}`);
    follower.gaps.push({ from: 4, to: 4 });
    verifyEvents(directory.path, [follower], tally);
    return tally.violations;
  }

  it("finds nothing where a reader saw all but what a gap told of", () => {
    assert.equal(verdict([1, 2, 3, 4, 5], 5, [2, 3, 5]), 0);
  });

  it("finds a number that is missing", () => assert.equal(verdict([1, 2, 4, 5], 5, [2, 5]), 1));

  it("finds an event that was not told", () => assert.equal(verdict([1, 2, 3], 3, [2]), 1));

  it("finds an event that is gone", () => assert.equal(verdict([1, 2], 2, [2, 3]), 1));
});

describe("figures of a soak", () => {
  const look = (life: number, at: number): Look => ({
    life,
    at,
    residentMebibytes: 100 + at,
    descriptors: 1,
    walMebibytes: 0,
  });

  it("quarters() gives medians of the first and the last quarter", () => {
    const looks = Array.from({ length: 12 }, (_, at) => look(0, at));
    assert.deepEqual(quarters(looks, ({ at }) => at), { first: 1, last: 10 });
  });

  it("longestLife() leaves out shorter lives and the first minute", () => {
    const looks = [
      ...[0, 5].map((at) => look(0, at)),
      ...[10, 60, 75, 90].map((at) => look(1, at)),
    ];
    assert.deepEqual(longestLife(looks).map(({ at }) => at), [75, 90]);
  });

  it("bigBytes() gives the same bytes whatever part is asked for", () => {
    const whole = bigBytes(0, 70_000);
    assert.ok(whole.subarray(65_000, 66_000).equals(bigBytes(65_000, 66_000)));
    assert.ok(!whole.subarray(0, 1000).equals(whole.subarray(65_536, 66_536)));
  });
});
