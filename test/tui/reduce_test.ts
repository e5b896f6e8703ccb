import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { STALE_MS } from "../../src/tui/state/connection.ts";
import type { FailureKind } from "../../src/tui/link/failure.ts";
import { LIMITS, type Link } from "../../src/tui/state/types.ts";
import { event, message, SERVER, TestedState } from "./tested_state.ts";

const failure = (kind: FailureKind = "broken", sentence = "the line broke") => ({ kind, sentence });
const linkOf = (tested: TestedState): Link => tested.link;
const connected = () => {
  const tested = new TestedState().connect();
  tested.taken();
  return tested;
};

describe("the connection", () => {
  it("bootstraps, then streams from the state's newest event on", () => {
    const tested = new TestedState();
    assert.equal(linkOf(tested).kind, "bootstrapping");
    assert.deepEqual(tested.taken(), [
      { kind: "attach", generation: 1, agent: null, position: null },
    ]);
    tested.connect(7);
    assert.equal(linkOf(tested).kind, "streaming");
    assert.deepEqual([tested.state.agent, tested.state.position], ["main", 7]);
  });

  it("waits 1, 2, 4, 8, 15, 30, 30 s between attempts, and goes on where it was", () => {
    const tested = connected().net({ kind: "event", event: event(8, "message_failed", "msg_1") });
    tested.taken();
    for (const [index, seconds] of [1, 2, 4, 8, 15, 30, 30].entries()) {
      tested.net({ kind: "lost", failure: failure() });
      const link = linkOf(tested);
      assert.ok(link.kind === "reconnecting");
      assert.deepEqual([link.attempt, link.reason], [index + 1, "the line broke"]);
      assert.deepEqual(tested.wait(seconds * 1000 - 1).taken(), []);
      const [effect] = tested.wait(1).taken();
      assert.ok(effect?.kind === "attach");
      assert.equal(effect.position, 8);
      const now = linkOf(tested);
      assert.ok(now.kind === "reconnecting" && now.retryAt === null && now.attempt === index + 1);
    }
    tested.net({ kind: "opened", position: 8 });
    assert.equal(linkOf(tested).kind, "streaming");
    tested.net({ kind: "lost", failure: failure() });
    const again = linkOf(tested);
    assert.ok(again.kind === "reconnecting" && again.attempt === 1);
  });

  it("is stale while nothing comes, and streams again with the first sign of life", () => {
    const tested = connected().wait(STALE_MS);
    assert.equal(linkOf(tested).kind, "streaming");
    tested.wait(1);
    assert.deepEqual(linkOf(tested), { kind: "stale", since: 0 });
    tested.put({ kind: "agentsFailed", failure: failure("timeout", "no answer") });
    assert.equal(linkOf(tested).kind, "stale");
    tested.put({ kind: "alive", now: tested.state.now });
    assert.equal(linkOf(tested).kind, "streaming");
  });

  it("loads the state anew after a gap, and says so until it has", () => {
    const tested = connected().net({ kind: "gap", reason: "events were missed" });
    assert.equal(linkOf(tested).kind, "refresh-required");
    const [effect] = tested.taken();
    assert.deepEqual(effect, { kind: "attach", generation: 2, agent: "main", position: null });
    tested.connect(300);
    assert.deepEqual([tested.link.kind, tested.state.position], ["streaming", 300]);
  });

  it("ends where time mends nothing, and begins again when asked", () => {
    for (const kind of ["refused", "foreign", "missing"] as const) {
      const tested = connected().net({ kind: "lost", failure: failure(kind, "no") });
      assert.deepEqual(linkOf(tested), { kind: "disconnected", reason: "no" });
      assert.deepEqual(tested.taken(), [{ kind: "detach" }]);
      assert.deepEqual(tested.wait(3_600_000).taken(), []);
      tested.enter("/refresh");
      assert.equal(linkOf(tested).kind, "bootstrapping");
      assert.deepEqual(tested.taken().map((it) => it.kind), ["attach", "pollNow"]);
    }
  });

  it("ends when the list's answer is that the token is no longer taken", () => {
    const tested = connected();
    tested.put({ kind: "agentsFailed", failure: failure("refused", "not this token") });
    assert.equal(linkOf(tested).kind, "disconnected");
  });

  it("ignores what earlier attachments still bring", () => {
    const tested = connected();
    const late = { generation: 1, now: 0 } as const;
    tested.enter("/agent switch other");
    assert.deepEqual([tested.state.agent, tested.state.messages], ["other", []]);
    tested.put({ ...late, kind: "messages", messages: [message("msg_9")] });
    tested.put({ ...late, kind: "event", event: event(99, "message_failed", "msg_9") });
    tested.put({ ...late, kind: "lost", failure: failure("refused") });
    assert.deepEqual(
      [tested.state.messages, tested.state.events, tested.link.kind],
      [[], [], "bootstrapping"],
    );
  });

  it("names another version in the server's place, and another home", () => {
    const tested = connected();
    assert.doesNotMatch(tested.notice, /./);
    tested.net({ kind: "handshake", server: { ...SERVER, version: "2.0.0" } });
    assert.match(tested.notice, /Holon 2\.0\.0, not 1\.0\.0 as before/);
    tested.net({ kind: "handshake", server: { ...SERVER, version: "2.0.0", home: "/elsewhere" } });
    assert.match(tested.notice, /its home is a different one/);
  });
});

describe("events and messages", () => {
  it("show a status at once and load the messages, once a second", () => {
    const tested = connected();
    tested.net({ kind: "event", event: event(8, "message_processing_started", "msg_1") });
    assert.equal(tested.state.messages[0]?.status, "processing");
    assert.deepEqual(tested.taken(), [{ kind: "messages", generation: 1, agent: "main" }]);
    for (let number = 9; number < 200; number++) {
      tested.net({ kind: "event", event: event(number, "message_enqueued", `msg_${number}`) });
    }
    tested.net({ kind: "messages", messages: [message("msg_199")] });
    assert.deepEqual(tested.taken(), [], "the pause is not over");
    tested.wait(1000);
    assert.deepEqual(tested.taken().map((it) => it.kind), ["messages"]);
    tested.net({ kind: "messages", messages: [message("msg_199")] }).wait(5000);
    assert.deepEqual(tested.taken(), [], "nothing has changed");
  });

  it("try again when the messages could not be loaded", () => {
    const tested = connected();
    tested.net({ kind: "event", event: event(8, "message_enqueued", "msg_2") });
    tested.taken();
    tested.net({ kind: "messagesFailed", failure: failure("timeout") });
    assert.deepEqual(tested.taken(), []);
    assert.deepEqual(tested.wait(1000).taken().map((it) => it.kind), ["messages"]);
  });

  it("are bounded", () => {
    const tested = connected();
    for (let number = 8; number < 2000; number++) {
      tested.net({ kind: "event", event: event(number, "unheard_of", "msg_1") });
    }
    tested.net({
      kind: "messages",
      messages: Array.from({ length: 500 }, (_, index) => message(`msg_${index}`)),
    });
    const { state } = tested;
    assert.deepEqual([state.events.length, state.eventCount], [LIMITS.events, 1992]);
    assert.deepEqual([state.messages.length, state.messages.at(-1)?.id], [
      LIMITS.messages,
      "msg_499",
    ]);
  });
});

describe("sending", () => {
  it("keeps the order and sends one at a time", () => {
    const tested = connected().enter("one").enter("two");
    assert.deepEqual(tested.taken(), [
      { kind: "send", key: "key-1", agent: "main", text: "one" },
    ]);
    tested.put({ kind: "sent", key: "key-1" });
    const effects = tested.taken();
    assert.deepEqual(effects[0], { kind: "send", key: "key-2", agent: "main", text: "two" });
    assert.equal(tested.state.outbox.length, 1);
  });

  it("keeps a text while the server is away, and sends it again under the same key", () => {
    const tested = connected().enter("one").enter("two");
    tested.taken();
    tested.put({ kind: "sendFailed", key: "key-1", failure: failure("absent", "nobody there") });
    assert.deepEqual(tested.state.outbox.map((it) => [it.text, it.state, it.reason]), [
      ["one", "waiting", "nobody there"],
      ["two", "waiting", null],
    ]);
    assert.deepEqual(tested.wait(1000).taken(), []);
    tested.put({ kind: "agents", now: tested.state.now, agents: [] });
    assert.deepEqual(tested.taken(), [{ kind: "send", key: "key-1", agent: "main", text: "one" }]);
  });

  it("gives up what the server rejects, says why, and goes on with the next", () => {
    const tested = connected().enter("one").enter("two");
    tested.taken();
    tested.put({ kind: "sendFailed", key: "key-1", failure: failure("rejected", "too large") });
    assert.match(tested.notice, /Not sent: too large/);
    assert.deepEqual(tested.taken().map((it) => it.kind === "send" && it.text), ["two"]);
    tested.press("up").press("up");
    assert.equal(tested.state.editor.text, "one");
    tested.ctrl("u").enter("/clear-status");
    assert.deepEqual(tested.state.outbox.map((it) => it.text), ["two"]);
  });

  it("keeps what is written before an agent is known for the one that it is", () => {
    const tested = new TestedState().enter("hello").enter("there");
    tested.taken();
    tested.connect();
    assert.deepEqual(tested.taken(), [{
      kind: "send",
      key: "key-1",
      agent: "main",
      text: "hello",
    }]);
    tested.enter("/agent switch other").put({ kind: "sent", key: "key-1" });
    const sent = tested.taken().filter((it) => it.kind === "send");
    assert.deepEqual(sent.map((it) => [it.agent, it.text]), [["main", "there"]]);
  });

  it("asks before it leaves texts behind", () => {
    const tested = connected();
    assert.deepEqual(connected().ctrl("c").taken(), [{ kind: "quit" }]);
    tested.enter("one");
    tested.taken();
    assert.deepEqual(tested.ctrl("c").taken(), []);
    assert.match(tested.notice, /not with the server yet/);
    assert.deepEqual(tested.ctrl("c").taken(), [{ kind: "quit" }]);
  });
});

describe("keys and commands", () => {
  it("write several lines and send them as one message", () => {
    const tested = connected().type("a").press("enter", { shift: true }).type("b")
      .press("enter", { alt: true }).type("c\\").press("enter").type("d").ctrl("j").type("e");
    assert.equal(tested.state.editor.text, "a\nb\nc\nd\ne");
    const [effect] = tested.press("enter").taken();
    assert.ok(effect?.kind === "send");
    assert.equal(effect.text, "a\nb\nc\nd\ne");
  });

  it("call back what was sent, between the lines first", () => {
    const tested = connected().enter("first").enter("second");
    tested.type("dra").press("up");
    assert.equal(tested.state.editor.text, "second");
    tested.press("up");
    assert.equal(tested.state.editor.text, "first");
    tested.press("up").press("down").press("down");
    assert.equal(tested.state.editor.text, "dra");
    tested.type("\u0000").put({ kind: "paste", text: "ft\nline two" }).press("up");
    assert.equal(tested.state.editor.text, "draft\nline two");
  });

  it("paste without acting on what is pasted", () => {
    const tested = connected().put({ kind: "paste", text: "/quit\r\n/agents\n" });
    assert.deepEqual(tested.taken(), []);
    assert.equal(tested.state.editor.text, "/quit\n/agents\n");
  });

  it("turn to views, choose rows and act on them", () => {
    const tested = connected().enter("/agents");
    assert.equal(tested.state.view.kind, "agents");
    tested.press("down").press("enter");
    assert.deepEqual([tested.state.agent, tested.state.view.kind], ["other", "activity"]);
    tested.connect().taken();
    tested.ctrl("o").type("p");
    assert.equal(tested.state.view.kind, "apps");
    tested.press("down").press("enter");
    assert.deepEqual(tested.taken(), [{ kind: "open", url: "http://lab:7878/apps/main/chart/" }]);
    tested.ctrl("o").type("q");
    assert.deepEqual([tested.state.view.kind, tested.state.view.subject], ["qr", "chart"]);
    tested.press("escape").press("escape");
    assert.equal(tested.state.view.kind, "activity");
    tested.enter("/messages").press("enter");
    assert.deepEqual(tested.taken(), [{ kind: "detail", agent: "other", message: "msg_1" }]);
  });

  it("filter a list, and Esc shows all again", () => {
    const tested = connected().enter("/apps").enter("/search CHA");
    assert.equal(tested.state.filter, "CHA");
    tested.press("enter");
    assert.deepEqual(tested.taken(), [{ kind: "open", url: "http://lab:7878/apps/main/chart/" }]);
    tested.press("escape");
    assert.deepEqual([tested.state.filter, tested.state.view.kind], ["", "apps"]);
  });

  it("answer wrong commands with a sentence and leave the text", () => {
    for (
      const [text, sentence] of [
        ["/nonsense", /There is no command/],
        ["/open nothing", /has no app nothing/],
        ["/open", /Which app/],
        ["/agent switch nobody", /no agent nobody/],
        ["/agent create .hidden", /no dot first/],
      ] as const
    ) {
      const tested = connected().enter(text);
      assert.match(tested.notice, sentence, text);
      assert.deepEqual(tested.taken(), [], text);
    }
  });

  it("make an agent and turn to it", () => {
    const tested = connected().enter("/agent create fresh");
    assert.deepEqual(tested.taken(), [{ kind: "create", agent: "fresh" }]);
    tested.put({ kind: "created", agent: "fresh" });
    assert.equal(tested.state.agent, "fresh");
    assert.deepEqual(tested.taken().map((it) => it.kind), ["attach", "pollNow"]);
  });

  it("never throw and never lose a typed character, whatever happens in between", () => {
    const happening = fc.constantFrom<(tested: TestedState) => TestedState>(
      (it) => it.connect(),
      (it) => it.wait(700),
      (it) => it.wait(20_000),
      (it) => it.net({ kind: "lost", failure: failure() }),
      (it) => it.net({ kind: "lost", failure: failure("refused") }),
      (it) => it.net({ kind: "gap", reason: "missed" }),
      (it) => it.net({ kind: "event", event: event(9, "message_failed", "msg_1") }),
      (it) => it.net({ kind: "messages", messages: [] }),
      (it) => it.put({ kind: "agents", now: it.state.now, agents: [] }),
      (it) => it.put({ kind: "agentsFailed", failure: failure() }),
      (it) => it.put({ kind: "resize", columns: 40, rows: 10 }),
    );
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
        const tested = new TestedState();
        let typed = "";
        for (const [index, happen] of happenings.entries()) {
          happen(tested);
          const letter = "abcdefgh"[index % 8] ?? "";
          tested.type(letter);
          typed += letter;
          assert.equal(tested.state.editor.text, typed);
        }
      }),
    );
  });
});
