import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPainter } from "../../src/tui/screen/painter.ts";

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
