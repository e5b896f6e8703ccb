import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { startScript } from "../support/runtime.ts";
import { PROGRAMS } from "../support/served_holon.ts";
import { skipWithout } from "../support/tools.ts";
import { until } from "../support/until.ts";
import { digestOf, FILE_BYTES, serveApp } from "./served_app.ts";

const skip = skipWithout("curl");

describe("curl", { skip }, () => {
  for (const [runtime, program] of Object.entries(PROGRAMS)) {
    it(`resumes a download that was cut, from ${runtime}`, async () => {
      const app = await serveApp(program);
      try {
        const path = join(app.directory.path, "large.bin");
        const size = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
        const curl = (...options: readonly string[]) =>
          startScript("", { command: ["curl", "-sS", "-f", "-o", path, ...options, app.file] });

        const cut = curl("--limit-rate", "4M");
        await until(() => size() > 1024 * 1024);
        await cut.stop();
        assert.ok(size() < FILE_BYTES, "it was cut before its end");

        const resumed = curl("-C", "-", "-w", "%{http_code} %{size_download}");
        const before = size();
        assert.equal(await resumed.exited, 0, resumed.stderr());
        assert.equal(resumed.stdout(), `206 ${FILE_BYTES - before}`);
        assert.equal(digestOf(path), app.digest);
      } finally {
        await app.stop();
      }
    });
  }
});
