import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPainter } from "../../src/tui/screen/painter.ts";
import { eventsOfInput } from "../../src/tui/screen/keys.ts";

const key = (name: string, more: object = {}) => ({ kind: "key", key: { name, ...more } });
const text = (value: string) => ({ kind: "text", text: value });

describe("eventsOfInput()", () => {
  it("takes apart what came in one chunk", () => {
    assert.deepEqual(eventsOfInput("hé👍🏽\rab\u000f", {}), [
      text("hé👍🏽"),
      key("enter"),
      text("ab"),
      key("letter", { letter: "o", ctrl: true }),
    ]);
    assert.deepEqual(eventsOfInput("a\u007fb\t\u001b\n", {}), [
      text("a"),
      key("backspace"),
      text("b"),
      key("tab"),
      key("escape"),
      key("letter", { letter: "j", ctrl: true }),
    ]);
  });

  it("keeps modifiers", () => {
    assert.deepEqual(eventsOfInput("\r", { return: true, meta: true }), [
      key("enter", { alt: true }),
    ]);
    assert.deepEqual(eventsOfInput("\r", { return: true, shift: true }), [
      key("enter", { shift: true }),
    ]);
    assert.deepEqual(eventsOfInput("", { leftArrow: true, ctrl: true }), [
      key("left", { ctrl: true }),
    ]);
    assert.deepEqual(eventsOfInput("C", { ctrl: true }), [
      key("letter", { letter: "c", ctrl: true }),
    ]);
  });

  it("hears a key once, when it goes down", () => {
    assert.deepEqual(eventsOfInput("a", { eventType: "release" }), []);
    assert.deepEqual(eventsOfInput("a", { eventType: "repeat" }), [text("a")]);
  });
});

describe("createPainter()", () => {
  it("writes what has changed, and the cursor", () => {
    const painter = createPainter();
    const first = painter.draw(["one", "two"], { x: 0, y: 1 });
    assert.match(first, /\[2J.*\[1;1Hone.*\[2;1Htwo.*\[2;1H/);
    assert.equal(painter.draw(["one", "two"], { x: 0, y: 1 }), "");
    const second = painter.draw(["one", "twos"], { x: 4, y: 1 });
    assert.match(second, /\[2;1H.\[2Ktwos.*\[2;5H/);
    assert.doesNotMatch(second, /one/);
    assert.equal(painter.draw(["one", "twos"], { x: 2, y: 1 }), "\u001b[2;3H");
  });

  it("draws all anew after a change of size", () => {
    const painter = createPainter();
    painter.draw(["one", "two"], { x: 0, y: 0 });
    assert.match(painter.draw(["one"], { x: 0, y: 0 }), /\[2J.*one/);
    painter.forget();
    assert.match(painter.draw(["one"], { x: 0, y: 0 }), /\[2J.*one/);
  });
});
