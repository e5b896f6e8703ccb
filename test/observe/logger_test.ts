import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLog, type Log, type LogFormat } from "../../src/observe/logger.ts";
import type { RequestRecord } from "../../src/observe/types.ts";
import { fakeClock } from "../support/fake_host.ts";

const RECORD: RequestRecord = {
  requestId: "abc-1",
  client: "192.168.1.20",
  method: "GET",
  route: "/api/agents",
  agent: null,
  app: null,
  path: null,
  status: 200,
  code: null,
  bytes: 10,
  durationMs: 1,
  outcome: "finished",
};

/** A log whose lines are kept. */
function openLog(format: LogFormat = { kind: "json" }): { log: Log; text: () => Promise<string> } {
  let text = "";
  const log = createLog({
    format,
    write: (bytes) => {
      text += new TextDecoder().decode(bytes);
      return Promise.resolve();
    },
    clock: fakeClock(),
    secrets: ["s3cret"],
  });
  return {
    log,
    text: async () => {
      await log.flush(5000);
      return text;
    },
  };
}

describe("createLog()", () => {
  it("tells of requests, sentences and faults, in order", async () => {
    const { log, text } = openLog();
    log.notice("starting");
    log.request(RECORD);
    log.notice("careful", "warn");
    log.error(new Error("broken"), "abc-2");
    const lines = (await text()).trim().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(lines.map(({ event, level }) => `${event} ${level}`), [
      "notice info",
      "request info",
      "notice warn",
      "error error",
    ]);
    assert.equal(lines[0].time, "2026-01-01T00:00:00.000Z");
    assert.equal(lines[3].request_id, "abc-2");
    assert.equal(lines[3].message, "broken");
    assert.match(lines[3].detail, /logger_test/);
  });

  it("tells the causes of an error, and no secret of theirs", async () => {
    const { log, text } = openLog();
    const cause = new Error("Authorization: Bearer abcdefgh", { cause: "deep s3cret" });
    log.error(new Error("outer s3cret", { cause }));
    const written = await text();
    const { detail } = JSON.parse(written);
    assert.match(detail, /outer \[redacted\][^]*caused by [^]*Authorization: \[redacted\]/);
    assert.match(detail, /caused by deep \[redacted\]/);
    assert.doesNotMatch(written, /s3cret|abcdefgh/);
  });

  it("takes whatever was thrown, also in a circle", async () => {
    const { log, text } = openLog();
    const circle = new Error("round");
    circle.cause = circle;
    const hostile = {
      toString() {
        throw new Error("no");
      },
    };
    for (const thrown of [circle, hostile, undefined, null, 7, Symbol("s"), Object.create(null)]) {
      log.error(thrown);
    }
    const lines = (await text()).trim().split("\n").map((line) => JSON.parse(line));
    assert.equal(lines.length, 7);
    assert.equal(lines[1].message, "Something unknown was thrown");
  });

  it("says nothing of requests when it is off, but faults and sentences all the same", async () => {
    const { log, text } = openLog({ kind: "off" });
    log.request({ ...RECORD, status: 500 });
    log.notice("stopping");
    log.error(new Error("broken"));
    assert.match(await text(), /^holon: stopping\nholon: broken\nError: broken\n/);
  });

  it("flush() gives up when its time is up", async () => {
    const log = createLog({
      format: { kind: "json" },
      write: () => new Promise(() => {}),
      clock: fakeClock(),
      secrets: [],
    });
    log.notice("never written");
    await log.flush(20);
    assert.equal(log.dropped, 0);
  });
});
