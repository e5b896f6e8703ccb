import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { logText } from "../../../src/cli/daemon/log_text.ts";
import type { Paint } from "../../../src/cli/output.ts";
import { jsonFormat } from "../../../src/observe/log_lines.ts";
import type { RequestRecord } from "../../../src/observe/types.ts";
import { tempDirectory } from "../../support/temp_home.ts";
import { run, type RunOptions } from "../memory_io.ts";

const same = (text: string) => text;
const PLAIN: Paint = { bold: same, dim: same, green: same, red: same, yellow: same };
const NOW = new Date(2026, 0, 2, 3, 4, 5).getTime();

const REQUEST: RequestRecord = {
  requestId: "a-1",
  client: null,
  method: "GET",
  route: "/apps/:agent/:app/*",
  agent: "main",
  app: "card",
  path: null,
  status: 200,
  code: null,
  bytes: 10,
  durationMs: 1.234,
  outcome: "finished",
};

function lineOf(record: Partial<RequestRecord>): string {
  return jsonFormat([]).request({ ...REQUEST, ...record }, NOW)!.trimEnd();
}

describe("logText()", () => {
  it("tells a request's time, level, status, route, place, code and duration", () => {
    assert.equal(
      logText(lineOf({}), PLAIN),
      "2026-01-02 03:04:05 info  200 GET /apps/:agent/:app/* main/card 1.23 ms",
    );
    assert.equal(
      logText(lineOf({ status: 404, code: "not_found", path: "a/b.js" }), PLAIN),
      "2026-01-02 03:04:05 warn  404 GET /apps/:agent/:app/* main/card/a/b.js not_found 1.23 ms",
    );
    assert.equal(
      logText(lineOf({ route: null, agent: null, app: null, outcome: "client_gone" }), PLAIN),
      "2026-01-02 03:04:05 info  200 GET (no route) client_gone 1.23 ms",
    );
  });

  it("tells a message, with its detail below", () => {
    const line = jsonFormat([]).message(
      { event: "error", level: "error", message: "it broke", detail: "Error: x\n    at y" },
      NOW,
    )!;
    assert.equal(
      logText(line.trimEnd(), PLAIN),
      "2026-01-02 03:04:05 error it broke\n  Error: x\n      at y",
    );
  });

  it("leaves other lines as they are, but for what steers a terminal", () => {
    for (const line of ["", "holon: no\tway", '{"time":"2026-', '{"a":1}', "null", '{"time":1}']) {
      assert.equal(logText(line, PLAIN), line);
    }
    assert.equal(logText("\u001b[2Jx", PLAIN), "\ufffd[2Jx");
    const hostile = JSON.stringify({
      time: "\u001b[2J",
      level: "\u001b[3J",
      event: "notice",
      message: "\u001b]0;x\u0007",
      detail: "\u001bc",
    });
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(logText(hostile, PLAIN), /[\u0000-\u0009\u000b-\u001f]/);
  });
});

describe("holon daemon logs", () => {
  it("colours lines on a terminal without NO_COLOR, and leaves them as they are for --json", async () => {
    const directory = tempDirectory();
    const home = directory.path;
    const line = lineOf({ status: 404, code: "not_found" });
    mkdirSync(join(home, "run"));
    writeFileSync(join(home, "run", "daemon.log"), `${line}\n`);
    const logs = async (options: RunOptions, ...more: readonly string[]) =>
      (await run(["daemon", "logs", ...more], { home, ...options })).out;
    assert.match(
      await logs({ terminal: true }),
      // deno-lint-ignore no-control-regex
      /^\u001b\[2m2026-01-02 03:04:05\u001b\[0m \u001b\[33mwarn \u001b\[0m \u001b\[33m404\u001b\[0m GET/,
    );
    const plain = `${logText(line, PLAIN)}\n`;
    assert.equal(await logs({ terminal: true, env: { NO_COLOR: "1" } }), plain);
    assert.equal(await logs({}), plain);
    assert.deepEqual(JSON.parse(await logs({}, "--json")).lines, [line]);
    const stop = AbortSignal.abort();
    assert.equal(await logs({ stop }, "--json", "--follow"), `${line}\n`);
    directory.remove();
  });
});
