/**
 * Preconditions and ranges against plain models (RFC 9110 §13.2.2 and §14; `design.md` decisions 5
 * and 6): requests are made as structures, of which the model knows what they mean, and as the text
 * of their headers, which is all that the code sees; each alone, and together for a file.
 */

import assert from "node:assert/strict";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import fc from "fast-check";
import {
  evaluatePreconditions,
  rangeApplies,
  type Validators,
  type Verdict,
} from "../../src/http/conditional.ts";
import { decideRange, type RangeDecision } from "../../src/http/range.ts";
import { type AppHandler, createAppHandler } from "../support/app_handler.ts";

const NOW = Date.UTC(2026, 11, 1) / 1000;
const MODIFIED = Date.UTC(2020, 0, 1, 3, 4, 5) / 1000;

// --- ranges ---

/** One range as it is meant, or text that is none. */
type Spec =
  | { readonly first: bigint; readonly last: bigint | null }
  | { readonly suffix: bigint }
  | { readonly text: string };

const figure = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: 0n, max: 14n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 10n ** 40n }) },
);
const spec: fc.Arbitrary<Spec> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ first: figure, last: fc.option(figure) }) },
  { weight: 3, arbitrary: fc.record({ suffix: figure }) },
  {
    weight: 1,
    arbitrary: fc.record({
      text: fc.constantFrom("", "-", "x", "1", "+1-2", "1--2", "0x1-2", "1-2-3", "1.0-2", "1 -2"),
    }),
  },
);
interface RangeField {
  readonly unit: string;
  readonly specs: readonly Spec[];
  /** Leading zeros of every number. */
  readonly zeros: number;
  /** Blanks after each comma. */
  readonly blank: string;
}
const rangeField: fc.Arbitrary<RangeField> = fc.record({
  unit: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("bytes=", "Bytes=") },
    { weight: 1, arbitrary: fc.constantFrom("byte=", "bytes", "bytes =", "items=", " bytes=") },
  ),
  specs: fc.oneof(
    { weight: 3, arbitrary: fc.array(spec, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(spec, { maxLength: 4 }) },
  ),
  zeros: fc.nat({ max: 3 }),
  blank: fc.constantFrom("", "", " ", "\t "),
});

function rangeText({ unit, specs, zeros, blank }: RangeField): string {
  const digits = (value: bigint) => "0".repeat(zeros) + value;
  return unit + specs.map((each) => {
    if ("text" in each) return each.text;
    if ("suffix" in each) return `-${digits(each.suffix)}`;
    return `${digits(each.first)}-${each.last === null ? "" : digits(each.last)}`;
  }).join(`,${blank}`);
}

function modelRange({ unit, specs }: RangeField, size: number): RangeDecision {
  const whole = { kind: "whole" } as const;
  if (unit.toLowerCase() !== "bytes=") return whole;
  // Lists may have empty items (RFC 9110 §5.6.1), but have to have one that is not.
  const items = specs.filter((each) => !("text" in each && each.text === ""));
  if (items.length === 0) return whole;
  const bytes = Array.from({ length: size }, (_, offset) => BigInt(offset));
  const selected: bigint[][] = [];
  for (const each of items) {
    if ("text" in each) return whole;
    if ("suffix" in each) {
      selected.push(bytes.filter((offset) => offset + each.suffix >= BigInt(size)));
      continue;
    }
    const { first, last } = each;
    if (last !== null && last < first) return whole;
    selected.push(bytes.filter((offset) => offset >= first && (last === null || offset <= last)));
  }
  if (selected.every((offsets) => offsets.length === 0)) return { kind: "unsatisfiable" };
  const [only = []] = selected;
  // Several are answered with the whole file, and so is one with empty items beside it.
  if (specs.length > 1) return whole;
  return { kind: "part", start: Number(only[0]), end: Number(only.at(-1)) + 1 };
}

describe("decideRange()", () => {
  it("decides as the model does", () => {
    fc.assert(
      fc.property(rangeField, fc.nat({ max: 12 }), (field, size) => {
        assert.deepEqual(decideRange(rangeText(field), size), modelRange(field, size));
      }),
      { numRuns: 2000 },
    );
  });
});

// --- preconditions ---

interface Tag {
  readonly weak: boolean;
  readonly opaque: string;
}
type TagList = "*" | "damaged" | readonly Tag[];
/** Seconds from the file's last change, in one of the forms of a date; or no date. */
type DateField = { readonly offset: number; readonly form: "asctime" | "imf" | "rfc850" } | "none";

interface Conditions {
  readonly ifMatch: TagList | null;
  readonly ifNoneMatch: TagList | null;
  readonly ifModifiedSince: DateField | null;
  readonly ifUnmodifiedSince: DateField | null;
  readonly ifRange: Tag | DateField | null;
}

const tag: fc.Arbitrary<Tag> = fc.record({
  weak: fc.boolean(),
  opaque: fc.constantFrom("current", "other", "a,b", ""),
});
const tagList: fc.Arbitrary<TagList> = fc.oneof(
  { weight: 6, arbitrary: fc.array(tag, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom("*" as const, "damaged" as const) },
);
const date: fc.Arbitrary<DateField> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      offset: fc.constantFrom(-86_400, -1, 0, 1, 86_400),
      form: fc.constantFrom("asctime" as const, "imf" as const, "rfc850" as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant("none" as const) },
);
const conditions: fc.Arbitrary<Conditions> = fc.record({
  ifMatch: fc.option(tagList),
  ifNoneMatch: fc.option(tagList),
  ifModifiedSince: fc.option(date),
  ifUnmodifiedSince: fc.option(date),
  ifRange: fc.option(fc.oneof(tag, date)),
});

/** What a file is recognised by, for the model and for the texts. */
interface Known {
  readonly current: Tag;
  readonly modified: number;
  readonly dateIsReliable: boolean;
}

function conditionHeaders(made: Conditions, known: Known): Headers {
  const headers = new Headers();
  const put = (name: string, value: string | null) => value !== null && headers.set(name, value);
  const tagText = ({ weak, opaque }: Tag) => {
    const text = opaque === "current" ? known.current.opaque : opaque;
    return `${weak ? "W/" : ""}"${text}"`;
  };
  const listText = (list: TagList | null) =>
    list === null
      ? null
      : list === "*"
      ? "*"
      : list === "damaged"
      ? known.current.opaque
      : list.map(tagText).join(", ");
  const dateText = (field: DateField | null) =>
    field === null ? null : field === "none" ? "yesterday" : inForm(known.modified, field);
  put("if-match", listText(made.ifMatch));
  put("if-none-match", listText(made.ifNoneMatch));
  put("if-modified-since", dateText(made.ifModifiedSince));
  put("if-unmodified-since", dateText(made.ifUnmodifiedSince));
  const { ifRange } = made;
  put(
    "if-range",
    ifRange !== null && ifRange !== "none" && "opaque" in ifRange
      ? tagText(ifRange)
      : dateText(ifRange),
  );
  return headers;
}

/** RFC 9110 §5.6.7. */
function inForm(modified: number, { offset, form }: Exclude<DateField, "none">): string {
  const time = new Date((modified + offset) * 1000);
  const imf = time.toUTCString();
  const [, day = "", month = "", year = "", clock = ""] =
    /^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/.exec(imf) ?? [];
  if (form === "imf") return imf;
  if (form === "asctime") {
    return `${imf.slice(0, 3)} ${month} ${String(Number(day)).padStart(2)} ${clock} ${year}`;
  }
  const weekday = time.toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
  return `${weekday}, ${day}-${month}-${year.slice(2)} ${clock} GMT`;
}

/** The steps of §13.2.2, one after the other. */
function modelVerdict(made: Conditions, { current, dateIsReliable }: Known): Verdict {
  const has = (list: TagList, strongly: boolean) =>
    list === "*" ||
    (list !== "damaged" &&
      list.some((each) => each.opaque === "current" && !(strongly && (each.weak || current.weak))));
  const offsetOf = (field: DateField | null) =>
    field === null || field === "none" ? null : field.offset;
  if (made.ifMatch !== null) {
    if (!has(made.ifMatch, true)) return "precondition_failed";
  } else {
    const since = offsetOf(made.ifUnmodifiedSince);
    if (since !== null && since < 0) return "precondition_failed";
  }
  if (made.ifNoneMatch !== null) return has(made.ifNoneMatch, false) ? "not_modified" : "send";
  const since = offsetOf(made.ifModifiedSince);
  return since !== null && since >= 0 && dateIsReliable ? "not_modified" : "send";
}

function modelRangeApplies({ ifRange }: Conditions, { current, dateIsReliable }: Known): boolean {
  if (ifRange === null) return true;
  if (ifRange === "none") return false;
  if ("opaque" in ifRange) return ifRange.opaque === "current" && !ifRange.weak && !current.weak;
  return ifRange.offset === 0 && dateIsReliable;
}

describe("preconditions", () => {
  const known = fc.record({ weak: fc.boolean(), dateIsReliable: fc.boolean() });

  it("are evaluated as the model does, and so is If-Range", () => {
    fc.assert(
      fc.property(conditions, known, (made, { weak, dateIsReliable }) => {
        const current = { weak, opaque: "current" };
        const validators: Validators = { tag: current, modified: MODIFIED, dateIsReliable };
        const facts = { current, modified: MODIFIED, dateIsReliable };
        const headers = conditionHeaders(made, facts);
        const told = [...headers].map(([name, value]) => `${name}: ${value}`).join("; ");
        const verdict = evaluatePreconditions(headers, validators, NOW);
        assert.equal(verdict, modelVerdict(made, facts), told);
        const applies = rangeApplies(headers, validators, NOW);
        assert.equal(applies, modelRangeApplies(made, facts), told);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a file that is asked for with conditions and a range", () => {
  const text = "0123456789";
  let handler: AppHandler;
  let facts: Known;
  before(async () => {
    handler = createAppHandler();
    // Past the time in which a second change could hide.
    handler.clock = { now: () => Date.now() + 60_000 };
    handler.write({ "a/index.html": "", "a/ten.txt": text });
    utimesSync(join(handler.home, "agents/main/apps/a/ten.txt"), MODIFIED, MODIFIED);
    const { headers } = await handler.fetch("/apps/main/a/ten.txt", { method: "HEAD" });
    const opaque = /^"(.*)"$/.exec(headers.get("etag") ?? "")?.[1] ?? "";
    assert.notEqual(opaque, "", "its tag is strong");
    facts = { current: { weak: false, opaque }, modified: MODIFIED, dateIsReliable: true };
  });
  after(() => handler.remove());

  it("is answered as the models say", async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(conditions, fc.option(rangeField), fc.boolean(), async (...made) => {
        const [asked, field, isHead] = made;
        const headers = conditionHeaders(asked, facts);
        if (field !== null) headers.set("range", rangeText(field));
        const response = await handler.fetch("/apps/main/a/ten.txt", {
          method: isHead ? "HEAD" : "GET",
          headers,
        });
        const body = await response.text();
        const [status, expected] = modelAnswer(asked, isHead ? null : field);
        const told = [...headers].map(([name, value]) => `${name}: ${value}`).join("; ");
        assert.equal(response.status, status, told);
        if (expected !== null) assert.equal(body, isHead ? "" : expected, told);
        statuses.add(status);
      }),
      {
        numRuns: 200,
        // What is rare by chance: no condition at all beside a range.
        examples: [
          [NO_CONDITIONS, field({ first: 2n, last: 4n }), false],
          [NO_CONDITIONS, field({ first: 10n, last: null }), false],
        ],
      },
    );
    assert.deepEqual([...statuses].sort(), [200, 206, 304, 412, 416]);
    assert.deepEqual(handler.unexpected, []);
    assert.equal(handler.permits.free, handler.permits.limit);
  });

  function modelAnswer(asked: Conditions, field: RangeField | null): [number, string | null] {
    const verdict = modelVerdict(asked, facts);
    if (verdict !== "send") return verdict === "not_modified" ? [304, ""] : [412, null];
    if (field === null || !modelRangeApplies(asked, facts)) return [200, text];
    // Blanks around a field's value are none of it (RFC 9110 §5.5).
    const unit = field.unit.trimStart();
    const decision = modelRange({ ...field, unit }, text.length);
    if (decision.kind === "unsatisfiable") return [416, null];
    return decision.kind === "whole"
      ? [200, text]
      : [206, text.slice(decision.start, decision.end)];
  }
});

const NO_CONDITIONS: Conditions = {
  ifMatch: null,
  ifNoneMatch: null,
  ifModifiedSince: null,
  ifUnmodifiedSince: null,
  ifRange: null,
};

function field(only: Spec): RangeField {
  return { unit: "bytes=", specs: [only], zeros: 0, blank: "" };
}
