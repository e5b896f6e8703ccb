import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { encode } from "uqr";
import {
  readAgents,
  readDetail,
  readEvent,
  readMessages,
  readState,
} from "../../src/tui/link/wire.ts";
import type { ViewKind } from "../../src/tui/state/types.ts";
import { viewOf } from "../../src/tui/state/initial.ts";
import { lineWidth } from "../../src/tui/text/line.ts";
import { paint } from "../../src/tui/text/theme.ts";
import { frameOf } from "../../src/tui/views/frame.ts";
import { qrLines } from "../../src/tui/views/qr.ts";
import { event, message, TestedState } from "./tested_state.ts";

const VIEWS: readonly ViewKind[] = [
  "activity",
  "agents",
  "apps",
  "events",
  "help",
  "message",
  "messages",
  "qr",
  "state",
];

const text = (tested: TestedState): string =>
  frameOf(tested.state).lines.map((row) => paint(row, "plain")).join("\n");

const HOSTILE = "\u001b[2J\u001b]0;x\u0007\u009b1m\u202e\r\n\b👩‍👩‍👧 e\u0301" + "\u0301".repeat(90);

/** A state with a bit of everything, all of it from a hostile server. */
function crowded(columns: number, rows: number): TestedState {
  const tested = new TestedState({ columns, rows }).connect();
  tested.put({
    kind: "agents",
    now: 0,
    agents: readAgents({
      agents: Array.from(
        { length: 30 },
        (_, index) => ({ id: `a${index}${HOSTILE}`, problem: HOSTILE }),
      ),
    }),
  });
  const { apps } = readState({
    agent: { id: "main" },
    apps: [{ id: HOSTILE, url: `/apps/${HOSTILE}`, description: HOSTILE }, {
      id: "b",
      problem: HOSTILE,
    }],
  });
  tested.net({
    ...readState({}),
    kind: "snapshot",
    agent: "main",
    apps: [...apps, ...tested.state.apps],
    newest: 7,
  });
  tested.net({
    kind: "messages",
    messages: readMessages({
      messages: Array.from({ length: 50 }, (_, index) => ({
        id: `msg_${index}`,
        origin: `app:${HOSTILE}`,
        payload: { text: HOSTILE.repeat(5) },
        result: { stdout: HOSTILE, error: HOSTILE },
      })),
    }),
  });
  for (let number = 8; number < 60; number++) {
    tested.net({ kind: "event", event: event(number, "message_enqueued", "msg_1") });
  }
  return tested;
}

describe("frameOf()", () => {
  it("fills the screen exactly, at every size and in every view, and nothing hostile is in it", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 130 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(...VIEWS),
        fc.constantFrom("", "hello", "/", "/a", "漢字".repeat(80), "a\nb\nc\nd\ne\nf\ng\nh\ni\nj"),
        fc.nat({ max: 400 }),
        fc.boolean(),
        (columns, rows, kind, typed, scroll, lost) => {
          const tested = crowded(columns, rows);
          tested.put({ kind: "paste", text: typed });
          if (lost) {
            const failure = { kind: "broken", sentence: "the line broke ".repeat(20) } as const;
            tested.net({ kind: "lost", failure });
          }
          tested.state = { ...tested.state, view: { ...viewOf(kind, "card"), scroll } };
          const { lines, cursor } = frameOf(tested.state);
          assert.equal(lines.length, rows);
          for (const row of lines) {
            // deno-lint-ignore no-control-regex
            assert.doesNotMatch(paint(row, "plain"), /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
            if (columns >= 4) assert.ok(lineWidth(row) <= columns, paint(row, "plain"));
          }
          assert.ok(cursor.x >= 0 && cursor.x < columns && cursor.y >= 0 && cursor.y < rows);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("is usable at 40 by 10", () => {
    const tested = new TestedState({ columns: 40, rows: 10 }).connect().type("hello");
    assert.match(text(tested), /^ main {2}● streaming/);
    assert.match(text(tested), /\n> hello\n/);
    tested.net({ kind: "lost", failure: { kind: "broken", sentence: "the line broke" } });
    assert.match(text(tested), /↻ reconnecting \(attempt 1, in 1 s\)/);
    assert.match(text(tested), /The line broke\./);
    assert.match(text(tested), /\n> hello\n/);
  });

  it("shows each state of the connection by its name", () => {
    const tested = new TestedState();
    assert.match(text(tested), /◌ bootstrapping/);
    tested.wait(3000);
    assert.match(text(tested), /bootstrapping \(3 s\)/);
    tested.connect();
    assert.match(text(tested), /● streaming/);
    tested.wait(9000);
    assert.match(text(tested), /◍ stale \(9 s\)/);
    tested.net({ kind: "gap", reason: "events were missed" });
    assert.match(text(tested), /↻ refresh required/);
    assert.match(text(tested), /Events were missed\./);
    tested.net({ kind: "lost", failure: { kind: "refused", sentence: "not this token" } });
    assert.match(text(tested), /✗ disconnected/);
    assert.match(text(tested), /Not this token\. \/refresh tries again/);
  });

  it("shows messages with what came of them, and what is not sent yet", () => {
    const tested = new TestedState().connect();
    const done = {
      ...message("msg_1", "Build it"),
      status: "succeeded",
      result: ["Built."],
    } as const;
    tested.net({ kind: "messages", messages: [done] }).enter("And then?");
    assert.match(
      text(tested),
      /✓ succeeded {2}you\n {2}Build it\n {2}→ Built\.\n… sending\n {2}And then\?\n/,
    );
    const failure = { kind: "absent", sentence: "nobody is there" } as const;
    tested.put({ kind: "sendFailed", key: "key-1", failure });
    assert.match(text(tested), /… waiting to be sent: nobody is there\n {2}And then\?/);
  });

  it("puts agents and apps beside the activity where there is room", () => {
    const wide = new TestedState({ columns: 120, rows: 30 }).connect();
    assert.match(text(wide), /│ Agents \(2\)/);
    assert.match(text(wide), /│ Apps \(2\)/);
    assert.doesNotMatch(text(new TestedState().connect()), /Apps \(2\)/);
  });

  it("hints at commands while one is typed", () => {
    const tested = new TestedState().connect().type("/ag");
    assert.match(text(tested), /\/agent switch {2}switch to an agent/);
    tested.type("ent switch o");
    assert.match(text(tested), /\/agent switch other/);
  });

  it("shows an app's address as a QR code where it fits, else the address alone", () => {
    const large = new TestedState().connect().enter("/qr card");
    assert.match(text(large), /█▀▀|█▄▄/);
    assert.match(text(large), /http:\/\/lab:7878\/apps\/main\/card\//);
    const small = new TestedState({ columns: 40, rows: 10 }).connect().enter("/qr card");
    assert.match(text(small), /http:\/\/lab:7878\/apps\/main\/card\//);
    assert.match(text(small), /make the\s+terminal\s+larger/);
  });

  it("draws a QR code module by module, light ones white", () => {
    const url = "http://lab:7878/apps/main/card/";
    const { data } = encode(url, { border: 2 });
    const drawn = qrLines(url).flatMap((row) => {
      const cells = [...paint(row, "plain")];
      // Upper and lower halves: what is not drawn is dark.
      return [
        cells.map((it) => it === " " || it === "▄"),
        cells.map((it) => it === " " || it === "▀"),
      ];
    });
    assert.deepEqual(drawn.slice(0, data.length), data);
    assert.match(paint(qrLines(url)[0] ?? [], "colour"), /\[97;40m█+/);
  });
});

describe("what the server answers", () => {
  it("may be anything", () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (value, data) => {
        const body = { agents: value, agent: value, apps: value, queue: value, messages: value };
        readAgents(body);
        readState(body);
        readMessages(body);
        readEvent(data);
        readDetail({ message: value }, "msg_1");
        readAgents({ agents: [value] });
        readState({ apps: [value] });
        readMessages({ messages: [value, { payload: value, result: value }] });
      }),
      { numRuns: 300 },
    );
  });

  it("takes no app's address that leads elsewhere", () => {
    for (
      const url of ["//evil.example/", "javascript:alert(1)", "\u001b[31m", "file:///etc/passwd", 7]
    ) {
      assert.equal(readState({ apps: [{ id: "a", url }] }).apps[0]?.path, null, String(url));
    }
    assert.equal(
      readState({ apps: [{ id: "a", url: "/apps/main/a/" }] }).apps[0]?.path,
      "/apps/main/a/",
    );
  });
});
