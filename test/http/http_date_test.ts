import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { formatHttpDate, parseHttpDate } from "../../src/http/http_date.ts";

const NOW = Date.UTC(2026, 11, 1) / 1000;
const EXAMPLE = Date.UTC(1994, 10, 6, 8, 49, 37) / 1000;

describe("formatHttpDate()", () => {
  it("writes the RFC's example", () => {
    assert.equal(formatHttpDate(EXAMPLE), "Sun, 06 Nov 1994 08:49:37 GMT");
  });
  it("writes a valid date when the time is before the epoch or far away", () => {
    assert.equal(formatHttpDate(-1), "Wed, 31 Dec 1969 23:59:59 GMT");
    assert.equal(formatHttpDate(-1e15), "Mon, 01 Jan 0001 00:00:00 GMT");
    assert.equal(formatHttpDate(1e15), "Fri, 31 Dec 9999 23:59:59 GMT");
  });
});

describe("parseHttpDate()", () => {
  it("reads the RFC's three forms", () => {
    assert.equal(parseHttpDate("Sun, 06 Nov 1994 08:49:37 GMT", NOW), EXAMPLE);
    assert.equal(parseHttpDate("Sunday, 06-Nov-94 08:49:37 GMT", NOW), EXAMPLE);
    assert.equal(parseHttpDate("Sun Nov  6 08:49:37 1994", NOW), EXAMPLE);
  });

  it("takes a two-digit year of more than 50 years ahead to be in the past", () => {
    assert.equal(
      parseHttpDate("Tuesday, 01-Dec-76 00:00:00 GMT", NOW),
      Date.UTC(2076, 11, 1) / 1000,
    );
    assert.equal(
      parseHttpDate("Thursday, 01-Dec-77 00:00:00 GMT", NOW),
      Date.UTC(1977, 11, 1) / 1000,
    );
  });

  it("takes a leap second as the second after it", () => {
    assert.equal(
      parseHttpDate("Sat, 31 Dec 2016 23:59:60 GMT", NOW),
      Date.UTC(2017, 0, 1) / 1000,
    );
  });

  for (
    const text of [
      "",
      "0",
      "1994-11-06T08:49:37Z",
      "Sun, 06 Nov 1994 08:49:37 GMT foo",
      " Sun, 06 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 08:49:37 UTC",
      "Sun, 06 Nov 1994 08:49:37 +0000",
      "sun, 06 nov 1994 08:49:37 gmt",
      "Mon, 06 Nov 1994 08:49:37 GMT",
      "Sun, 6 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 1994 08:60:00 GMT",
      "Thu, 31 Nov 1994 08:49:37 GMT",
      "Tue, 00 Nov 1994 08:49:37 GMT",
      "Sun, 06-Nov-94 08:49:37 GMT",
      "Sun Nov 6 08:49:37 1994",
    ]
  ) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.equal(parseHttpDate(text, NOW), null);
    });
  }

  it("reads back what formatHttpDate() wrote", () => {
    fc.assert(fc.property(fc.integer({ min: -62135596800, max: 253402300799 }), (seconds) => {
      assert.equal(parseHttpDate(formatHttpDate(seconds), NOW), seconds);
    }));
  });
});
