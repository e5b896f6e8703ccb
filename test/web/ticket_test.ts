import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ticketIn } from "../../src/web/pair/ticket.ts";

describe("ticketIn()", () => {
  const ticket = "0123456789abcdef".repeat(4);
  const cases: readonly (readonly [string, string | null])[] = [
    [`#${ticket}`, ticket],
    [`#${ticket.toUpperCase()}`, ticket],
    ["", null],
    ["#", null],
    [`#${ticket}0`, null],
    [`#${ticket.slice(1)}`, null],
    [`#${ticket}&next=//evil.example`, null],
  ];
  for (const [fragment, found] of cases) {
    it(`finds ${found === null ? "none" : "one"} in ${fragment.slice(0, 24)}`, () => {
      assert.equal(ticketIn(fragment), found);
    });
  }
});
