import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { evaluatePreconditions, rangeApplies } from "../../src/http/conditional.ts";
import type { Validators } from "../../src/http/conditional.ts";
import { formatHttpDate } from "../../src/http/http_date.ts";

const NOW = Date.UTC(2026, 11, 1) / 1000;
const MODIFIED = Date.UTC(2020, 0, 1) / 1000;
const STRONG: Validators = {
  tag: { weak: false, opaque: "v1" },
  modified: MODIFIED,
  dateIsReliable: true,
};
const UNSETTLED: Validators = {
  ...STRONG,
  tag: { weak: true, opaque: "v1" },
  dateIsReliable: false,
};
const SAME = formatHttpDate(MODIFIED);
const EARLIER = formatHttpDate(MODIFIED - 1);
const LATER = formatHttpDate(MODIFIED + 1);

describe("evaluatePreconditions()", () => {
  const verdict = (headers: Record<string, string>, validators = STRONG) =>
    evaluatePreconditions(new Headers(headers), validators, NOW);

  it("sends when there is no precondition", () => assert.equal(verdict({}), "send"));

  it("fails when If-Match names another tag, or a weak one", () => {
    assert.equal(verdict({ "if-match": '"v0", "v1"' }), "send");
    assert.equal(verdict({ "if-match": "*" }), "send");
    assert.equal(verdict({ "if-match": '"v0"' }), "precondition_failed");
    assert.equal(verdict({ "if-match": 'W/"v1"' }), "precondition_failed");
    assert.equal(verdict({ "if-match": "v1" }), "precondition_failed");
    assert.equal(verdict({ "if-match": '"v1"' }, UNSETTLED), "precondition_failed");
  });

  it("fails when the file changed after If-Unmodified-Since, unless there is an If-Match", () => {
    assert.equal(verdict({ "if-unmodified-since": SAME }), "send");
    assert.equal(verdict({ "if-unmodified-since": EARLIER }), "precondition_failed");
    assert.equal(verdict({ "if-unmodified-since": "yesterday" }), "send");
    assert.equal(verdict({ "if-unmodified-since": EARLIER, "if-match": '"v1"' }), "send");
  });

  it("answers not modified when If-None-Match names the tag, weak or not", () => {
    assert.equal(verdict({ "if-none-match": '"v1"' }), "not_modified");
    assert.equal(verdict({ "if-none-match": 'W/"v1"' }), "not_modified");
    assert.equal(verdict({ "if-none-match": "*" }), "not_modified");
    assert.equal(verdict({ "if-none-match": '"v0"' }), "send");
  });

  it("ignores If-Modified-Since when there is an If-None-Match, even a damaged one", () => {
    assert.equal(verdict({ "if-none-match": '"v0"', "if-modified-since": LATER }), "send");
    assert.equal(verdict({ "if-none-match": "v0", "if-modified-since": LATER }), "send");
  });

  it("answers not modified when the file is no newer than If-Modified-Since", () => {
    assert.equal(verdict({ "if-modified-since": SAME }), "not_modified");
    assert.equal(verdict({ "if-modified-since": LATER }), "not_modified");
    assert.equal(verdict({ "if-modified-since": EARLIER }), "send");
    assert.equal(verdict({ "if-modified-since": "0" }), "send");
    assert.equal(verdict({ "if-modified-since": SAME }, UNSETTLED), "send");
  });

  it("lets If-Match decide before If-None-Match", () => {
    const headers = { "if-match": '"v0"', "if-none-match": '"v1"' };
    assert.equal(verdict(headers), "precondition_failed");
  });
});

describe("rangeApplies()", () => {
  const applies = (value: string, validators = STRONG) =>
    rangeApplies(new Headers({ "if-range": value }), validators, NOW);

  it("is true when there is no If-Range", () => {
    assert.equal(rangeApplies(new Headers(), UNSETTLED, NOW), true);
  });
  it("is true for the same strong tag and the same date only", () => {
    assert.equal(applies('"v1"'), true);
    assert.equal(applies(SAME), true);
    for (const value of ['W/"v1"', '"v0"', "v1", "*", '"v1", "v1"', EARLIER, LATER, ""]) {
      assert.equal(applies(value), false, value);
    }
  });
  it("is false when the validators can't vouch for the bytes", () => {
    assert.equal(applies('"v1"', UNSETTLED), false);
    assert.equal(applies('W/"v1"', UNSETTLED), false);
    assert.equal(applies(SAME, UNSETTLED), false);
  });
});
