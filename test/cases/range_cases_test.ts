import assert from "node:assert/strict";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Listener } from "../../src/host/types.ts";
import { type AppHandler, createAppHandler } from "../support/app_handler.ts";
import { readCases } from "../support/cases.ts";
import { rawRequest, type RawResponse } from "../support/raw_http.ts";

interface RangeCase {
  readonly id: number;
  readonly name: string;
  readonly method: string;
  readonly file_size: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly expect_status: number;
  readonly expect_content_range: string | null;
  readonly expect_length: number | null;
  readonly expect_body_slice: readonly [number, number] | null;
  readonly headers_present: readonly string[];
  readonly headers_absent: readonly string[];
}

const CASES = readCases<RangeCase>("range_cases.json");
const MODIFIED = new Date("2019-03-05T12:34:56Z");

/** Content in which every offset is told from its neighbours. */
function contentOf(size: number): Uint8Array {
  return new Uint8Array(size).map((_, index) => (index * 7 + (index >> 8)) % 256);
}

describe("the shared range cases", () => {
  let handler: AppHandler;
  let listener: Listener;
  let port: number;
  before(async () => {
    handler = createAppHandler();
    handler.write({ "r/index.html": "r" });
    for (const size of new Set(CASES.map(({ file_size }) => file_size))) {
      if (size < 0) continue;
      const name = `${size}.bin`;
      handler.write({ [`r/${name}`]: contentOf(size) });
      utimesSync(join(handler.home, "agents/main/apps/r", name), MODIFIED, MODIFIED);
    }
    // The files are new; the clock goes ahead, so that their validators can be trusted.
    handler.clock = { now: () => Date.now() + 10_000 };
    ({ port, listener } = await handler.listen());
  });
  after(async () => {
    await listener.close(0);
    handler.remove();
  });

  const send = (method: string, size: number, lines: readonly string[]) =>
    rawRequest(
      { port },
      [
        `${method} /apps/main/r/${size < 0 ? "absent" : size}.bin HTTP/1.1`,
        "Host: localhost",
        ...lines,
        "",
        "",
      ].join("\r\n"),
    );

  it("are all there", () => assert.ok(CASES.length >= 145));

  for (const one of CASES) {
    it(`${one.id}: ${one.name}`, async () => {
      const variables = one.file_size < 0
        ? new Map<string, string>()
        : variablesOf(await send("GET", one.file_size, []));
      const lines = Object.entries(one.headers).flatMap(([name, value]) =>
        [value].flat().map((text) => `${name}: ${substitute(String(text), variables)}`)
      );
      check(one, await send(one.method, one.file_size, lines));
      assert.equal(handler.permits.free, handler.permits.limit);
    });
  }
});

function check(one: RangeCase, response: RawResponse): void {
  assert.equal(response.status, one.expect_status);
  if (one.expect_content_range !== null) {
    assert.equal(response.header("content-range"), one.expect_content_range);
  }
  if (one.expect_length !== null) {
    assert.equal(response.header("content-length"), String(one.expect_length));
  }
  for (const name of one.headers_present) assert.notEqual(response.header(name), null, name);
  for (const name of one.headers_absent) assert.equal(response.header(name), null, name);
  if (one.expect_body_slice !== null) {
    const expected = contentOf(one.file_size).subarray(...one.expect_body_slice);
    assert.deepEqual(new Uint8Array(response.body), expected);
  }
  assert.ok(response.complete);
  if (one.method === "HEAD" || response.status === 304) assert.equal(response.body.length, 0);
}

function variablesOf(plain: RawResponse): ReadonlyMap<string, string> {
  const tag = plain.header("etag") ?? "";
  const strong = tag.replace(/^W\//, "");
  const modified = new Date(plain.header("last-modified") ?? "");
  const shifted = (seconds: number) => new Date(modified.getTime() + seconds * 1000).toUTCString();
  const imf = modified.toUTCString();
  const [, day = "", month = "", year = "", time = ""] =
    /^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/.exec(imf) ?? [];
  const weekday = modified.toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" });
  return new Map([
    ["$ETAG", tag],
    ["$STRONG", strong],
    ["$WEAK", `W/${strong}`],
    ["$LOWERWEAK", `w/${strong}`],
    ["$BARE", strong.slice(1, -1)],
    ["$HALF", strong.slice(0, -1)],
    ["$CUT", `${strong.slice(0, -2)}"`],
    ["$CASE", swapCase(strong)],
    ["$LM-1s", shifted(-1)],
    ["$LM+1s", shifted(1)],
    ["$LM+1h", shifted(3600)],
    ["$LM850", `${weekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`],
    ["$LMASC", `${weekday.slice(0, 3)} ${month} ${day.replace(/^0/, " ")} ${time} ${year}`],
    ["$LM", imf],
  ]);
}

function substitute(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(
    /\$(?:ETAG|STRONG|WEAK|LOWERWEAK|BARE|HALF|CUT|CASE|LM-1s|LM\+1s|LM\+1h|LM850|LMASC|LM)/g,
    (name) => variables.get(name) ?? assert.fail(`${name} is not known`),
  );
}

function swapCase(text: string): string {
  return [...text].map((letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  ).join("");
}
