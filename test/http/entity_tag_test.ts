import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { FileStat } from "../../src/host/types.ts";
import {
  fileEntityTag,
  formatEntityTag,
  isSettled,
  matchesStrongly,
  matchesWeakly,
  parseEntityTag,
  parseEntityTags,
} from "../../src/http/entity_tag.ts";

const NOW = 1_700_000_000_000;
const STAT: FileStat = {
  kind: "file",
  size: 64,
  mtimeMs: NOW - 60_000,
  ctimeMs: NOW - 60_000,
  dev: 1,
  ino: 2,
  mode: 0o600,
  uid: 0,
};

describe("parseEntityTags()", () => {
  const cases: [value: string, expected: string | string[]][] = [
    ["*", "*"],
    [" * ", "*"],
    ['*, "a"', []],
    ['"a"', ['"a"']],
    ['W/"a"', ['W/"a"']],
    ['w/"a"', []],
    ['"a","b"', ['"a"', '"b"']],
    [' "a",\t"b" ,, W/"c",', ['"a"', '"b"', 'W/"c"']],
    ['"a,b", "c"', ['"a,b"', '"c"']],
    ['""', ['""']],
    ["a", []],
    ['"a', []],
    ['"a" "b"', []],
    ['"a", b, "c"', ['"a"']],
    ['"a\u0001b"', []],
    ['"ä"', ['"ä"']],
    ["", []],
  ];
  for (const [value, expected] of cases) {
    it(`reads ${JSON.stringify(value)}`, () => {
      const tags = parseEntityTags(value);
      assert.deepEqual(tags === "*" ? tags : tags.map(formatEntityTag), expected);
    });
  }

  it("reads back any list that was written", () => {
    const opaque = fc.string({ unit: fc.constantFrom("!", "#", ",", "a", "W", "/", "\xff") });
    const tag = fc.record({ weak: fc.boolean(), opaque }, { noNullPrototype: true });
    fc.assert(fc.property(fc.array(tag), (tags) => {
      assert.deepEqual(parseEntityTags(tags.map(formatEntityTag).join(" , ")), tags);
    }));
  });
});

describe("parseEntityTag()", () => {
  it("reads one tag only", () => {
    assert.deepEqual(parseEntityTag('W/"a,b"'), { weak: true, opaque: "a,b" });
    assert.equal(parseEntityTag('"a","b"'), null);
    assert.equal(parseEntityTag("*"), null);
    assert.equal(parseEntityTag("a"), null);
  });
});

describe("matchesStrongly() and matchesWeakly()", () => {
  it("compare as the table of RFC 9110 §8.8.3.2 has it", () => {
    const [weak, strong, other] = [
      { weak: true, opaque: "1" },
      { weak: false, opaque: "1" },
      { weak: false, opaque: "2" },
    ] as const;
    assert.deepEqual([matchesStrongly(weak, weak), matchesWeakly(weak, weak)], [false, true]);
    assert.deepEqual([matchesStrongly(weak, strong), matchesWeakly(weak, strong)], [false, true]);
    assert.deepEqual([matchesStrongly(strong, strong), matchesWeakly(strong, strong)], [
      true,
      true,
    ]);
    assert.deepEqual([matchesStrongly(strong, other), matchesWeakly(strong, other)], [
      false,
      false,
    ]);
  });
});

describe("fileEntityTag()", () => {
  const strong = fileEntityTag("a.js", STAT, NOW);

  it("makes the same strong tag again for a settled file", () => {
    assert.equal(strong.weak, false);
    assert.deepEqual(fileEntityTag("a.js", STAT, NOW + 5000), strong);
  });

  it("makes another tag when anything about the file differs", () => {
    const others = [
      fileEntityTag("b.js", STAT, NOW),
      ...(["size", "mtimeMs", "ctimeMs", "ino", "dev"] as const).map((field) =>
        fileEntityTag("a.js", { ...STAT, [field]: STAT[field] - 1 }, NOW)
      ),
    ];
    assert.equal(new Set([strong, ...others].map(formatEntityTag)).size, others.length + 1);
  });

  it("makes a weak tag that matches nothing later while the file isn't settled", () => {
    const fresh = { ...STAT, ctimeMs: NOW - 1999 };
    const tags = [NOW, NOW, NOW + 5000].map((now) => fileEntityTag("a.js", fresh, now));
    assert.deepEqual(tags.map(({ weak }) => weak), [true, true, false]);
    assert.equal(new Set(tags.map(({ opaque }) => opaque)).size, 3);
  });

  it("writes a valid tag when times are negative", () => {
    const tag = fileEntityTag("a.js", { ...STAT, mtimeMs: -1 }, NOW);
    assert.deepEqual(parseEntityTag(formatEntityTag(tag)), tag);
  });
});

describe("isSettled()", () => {
  const settled = (mtimeMs: number, ctimeMs: number) =>
    isSettled({ ...STAT, mtimeMs, ctimeMs }, NOW);
  it("is false when a time is less than 2 s old", () => {
    assert.equal(settled(NOW - 2000, NOW - 2000), true);
    assert.equal(settled(NOW - 1999, NOW - 2000), false);
    assert.equal(settled(NOW - 2000, NOW - 1999), false);
  });
  it("is false when the change time is ahead of the clock", () => {
    assert.equal(settled(NOW - 9000, NOW + 5000), false);
  });
  it("goes by the change time when the modification time was set ahead of the clock", () => {
    assert.equal(settled(NOW + 10_000, NOW - 2000), true);
    assert.equal(settled(NOW + 10_000, NOW - 1000), false);
  });
});
