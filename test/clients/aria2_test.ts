import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { startScript } from "../support/runtime.ts";
import { PROGRAMS } from "../support/served_holon.ts";
import { skipWithout } from "../support/tools.ts";
import { until } from "../support/until.ts";
import { digestOf, serveApp } from "./served_app.ts";

const skip = skipWithout("aria2c", "aria2");

/** Of the 16 permits, so many are held by others: more than none are left for aria2. */
const HELD = 10;

describe("aria2", { skip }, () => {
  for (const [runtime, program] of Object.entries(PROGRAMS)) {
    it(`gets the file right with 16 connections, some of them refused, from ${runtime}`, async () => {
      const app = await serveApp(program);
      const slow = await Promise.all(Array.from({ length: HELD }, () => startSlowly(app.file)));
      try {
        const log = join(app.directory.path, "aria2.log");
        const aria2 = startScript("", {
          command: [
            "aria2c",
            ...["--no-conf", "--quiet", "--max-connection-per-server=16", "--split=16"],
            ...["--min-split-size=1M", "--max-tries=0", "--retry-wait=1"],
            // Slow enough that the connections are open at the same time.
            ...["--max-overall-download-limit=12M", "--log-level=info", `--log=${log}`],
            ...[`--dir=${app.directory.path}`, "--out=large.bin", app.file],
          ],
        });
        const refusals = () => readFileSync(log, "utf8").match(/^HTTP\/1\.1 503/gm)?.length ?? 0;
        await until(() => {
          try {
            return refusals() > 0;
          } catch {
            return false;
          }
        });
        for (const socket of slow) socket.destroy();
        assert.equal(await aria2.exited, 0, aria2.stderr());
        assert.equal(digestOf(join(app.directory.path, "large.bin")), app.digest);
        const parts = readFileSync(log, "utf8").match(/^HTTP\/1\.1 206/gm)?.length ?? 0;
        assert.ok(parts >= 8, `${parts} parts`);
      } finally {
        for (const socket of slow) socket.destroy();
        await app.stop();
      }
    });
  }
});

/** Begins a download and reads no further than its head: it holds a permit until it is cut. */
function startSlowly(address: string): Promise<Socket> {
  const url = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => {
      socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
    });
    socket.on("error", reject);
    socket.once("data", (chunk) => {
      socket.pause();
      if (String(chunk).startsWith("HTTP/1.1 200")) resolve(socket);
      else reject(new Error(String(chunk).split("\r\n")[0]));
    });
  });
}
