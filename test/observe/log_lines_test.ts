import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { jsonFormat, levelOf, MAX_LINE, textFormat } from "../../src/observe/log_lines.ts";
import type { RequestRecord } from "../../src/observe/types.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const RECORD: RequestRecord = {
  requestId: "abc-1",
  client: "192.168.1.20",
  method: "GET",
  route: "/apps/:agent/:app/:path+",
  agent: "main",
  app: "card",
  path: "js/gone.js",
  status: 404,
  code: "not_found",
  bytes: 374,
  durationMs: 1.2345,
  outcome: "finished",
};

describe("jsonFormat()", () => {
  const format = jsonFormat(["s3cret"]);

  it("makes a line of a request", () => {
    const line = format.request(RECORD, NOW) ?? "";
    assert.deepEqual(JSON.parse(line), {
      time: "2026-01-02T03:04:05.006Z",
      level: "warn",
      event: "request",
      request_id: "abc-1",
      client: "192.168.1.20",
      method: "GET",
      route: "/apps/:agent/:app/:path+",
      agent: "main",
      app: "card",
      path: "js/gone.js",
      status: 404,
      code: "not_found",
      bytes: 374,
      duration_ms: 1.23,
      outcome: "finished",
    });
    const none = {
      ...RECORD,
      route: null,
      agent: null,
      app: null,
      path: null,
      code: null,
      outcome: null,
    };
    const bare = JSON.parse(format.request(none, NOW + 994) ?? "");
    assert.deepEqual([bare.route, bare.agent, bare.app, bare.code], [null, null, null, null]);
    assert.equal(bare.time, "2026-01-02T03:04:06.000Z");
    assert.ok(!("path" in bare));
  });

  it("keeps a line with a path whole and free of secrets", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 256 }), (path) => {
      const line = format.request({ ...RECORD, path: `s3cret${path}` }, NOW) ?? "";
      assert.match(line, /^[^\n]*\n$/);
      assert.ok(line.length <= MAX_LINE, String(line.length));
      assert.ok(!line.includes("s3cret"));
      assert.equal(typeof JSON.parse(line).path, "string");
    }));
  });

  it("keeps every line whole, bounded and free of secrets, whatever the message", () => {
    const text = fc.string({ unit: "binary", maxLength: 6000 });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 20 }), (message, detail, times) => {
        const record = {
          event: "error",
          level: "error",
          message: message + "s3cret".repeat(times),
          detail: `s3cret${detail}`,
        } as const;
        const line = format.message(record, NOW) ?? "";
        assert.ok(line.length <= MAX_LINE, String(line.length));
        assert.equal(line.indexOf("\n"), line.length - 1);
        assert.equal(JSON.parse(line).event, "error");
        assert.ok(!line.includes("s3cret"));
      }),
      { numRuns: 50 },
    );
    const worst = {
      event: "error",
      level: "error",
      message: "\0".repeat(9999),
      detail: "\0".repeat(9999),
    } as const;
    assert.ok((format.message(worst, NOW) ?? "").length <= MAX_LINE);
  });
});

describe("levelOf()", () => {
  const levels: [change: Partial<RequestRecord>, level: string][] = [
    [{ status: 200 }, "info"],
    [{ status: 304 }, "info"],
    [{ status: 200, outcome: "client_gone" }, "info"],
    [{ status: 200, outcome: null }, "info"],
    [{ status: 200, outcome: "timed_out" }, "warn"],
    [{ status: 200, outcome: "failed" }, "warn"],
    [{ status: 404 }, "warn"],
    [{ status: 503 }, "warn"],
    [{ status: 507 }, "warn"],
    [{ status: 500 }, "error"],
  ];
  for (const [change, level] of levels) {
    it(`is ${level} for ${JSON.stringify(change)}`, () => {
      assert.equal(levelOf({ ...RECORD, ...change }), level);
    });
  }
});

describe("textFormat()", () => {
  const quiet = textFormat([], { everything: false, color: false });

  it("shows what goes wrong, and the rest only when asked", () => {
    const line = quiet.request(RECORD, NOW) ?? "";
    assert.match(
      line,
      /^\d\d:\d\d:\d\d 404 GET \/apps\/:agent\/:app\/:path\+ main\/card\/js\/gone\.js not_found 1.23 ms\n$/,
    );
    const sound = { ...RECORD, path: null, status: 200, code: null };
    assert.equal(quiet.request(sound, NOW), null);
    const all = textFormat([], { everything: true, color: true });
    assert.match(all.request(sound, NOW) ?? "", / 200 GET .*card 1.23 ms\n$/);
    const gone = { ...sound, route: null, agent: null, outcome: "client_gone" } as const;
    assert.match(all.request(gone, NOW) ?? "", / 200 GET \(no route\) client_gone 1.23 ms\n$/);
  });

  it("paints with color only", () => {
    assert.ok(!(quiet.request(RECORD, NOW) ?? "").includes("\u001b"));
    const painted = textFormat([], { everything: false, color: true });
    assert.ok((painted.request(RECORD, NOW) ?? "").includes("\u001b[33m404\u001b[0m"));
  });

  it("lets no message steer the terminal", () => {
    const message = "a\u001b[2J\u0007\nb\u202ec";
    const line = quiet.message({ event: "notice", level: "info", message }, NOW);
    assert.equal(line, "holon: a [2J b c\n");
    const detail = "x\u001b]0;t\u0007\n  at y";
    const error = quiet.message({ event: "error", level: "error", message: "m", detail }, NOW);
    assert.equal(error, "holon: m\nx ]0;t \n  at y\n");
  });
});
