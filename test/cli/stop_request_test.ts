import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CliIo } from "../../src/cli/io.ts";
import { listenToStop } from "../../src/cli/stop_request.ts";

describe("listenToStop()", () => {
  it("takes the two SIGINTs of one Ctrl-C under npm for one", async () => {
    const callbacks = new Map<string, () => void>();
    let now = 0;
    const host = {
      clock: { now: () => 0, monotonic: () => now },
      onSignal: (signal: string, callback: () => void) => {
        callbacks.set(signal, callback);
        return () => callbacks.delete(signal);
      },
    };
    const stopping = listenToStop({ host } as unknown as CliIo);
    callbacks.get("SIGINT")?.();
    await stopping.requested;
    now = 300;
    // Were it taken for a second one, the process that runs this test would end here.
    callbacks.get("SIGINT")?.();
    stopping.dispose();
    assert.equal(callbacks.size, 0);
  });
});
