import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import type { Listener } from "../../src/host/types.ts";
import { type AppHandler, createAppHandler } from "../support/app_handler.ts";

const REQUESTS = 10_000;
const AT_ONCE = 48;
const SIZES = [100, 20_000, 65_536, 65_537, 300_000, 2_000_000];
const HEADERS = ["", "Range: bytes=50-\r\n", "If-None-Match: *\r\n", "Range: bytes=-20\r\n"];

/** A small generator of numbers, so that a failure can be seen again. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function openDescriptors(): number {
  return readdirSync("/proc/self/fd").length;
}

describe("requests that are cut", () => {
  let handler: AppHandler;
  let listener: Listener;
  let port: number;
  before(async () => {
    handler = createAppHandler();
    handler.write({ "l/index.html": "l" });
    for (const size of SIZES) handler.write({ [`l/${size}.bin`]: new Uint8Array(size) });
    ({ port, listener } = await handler.listen());
  });
  after(async () => {
    await listener.close(0);
    handler.remove();
  });

  /** Sends a request; cuts the connection after `cutAfter` bytes of the answer. */
  function exchange(method: string, target: string, headers: string, cutAfter: number) {
    return new Promise<void>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      let received = 0;
      const cut = () => socket.resetAndDestroy();
      socket.on("connect", () => {
        socket.write(
          `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${headers}Connection: close\r\n\r\n`,
        );
        if (cutAfter === 0) cut();
      });
      socket.on("data", (chunk) => {
        received += chunk.length;
        if (received >= cutAfter) cut();
      });
      socket.on("error", () => {});
      socket.on("close", () => resolve());
    });
  }

  it("leave no permit taken and no descriptor open", { timeout: 120_000 }, async () => {
    const random = randomNumbers(7);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
    const idle = async () => {
      const deadline = Date.now() + 10_000;
      while (listener.connections > 0 || handler.permits.free < handler.permits.limit) {
        assert.ok(Date.now() < deadline, `${listener.connections} ${handler.permits.free}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    // What the runtime opens once is open before we count.
    await Promise.all(SIZES.map((size) => exchange("GET", `/apps/main/l/${size}.bin`, "", 1e9)));
    await idle();
    const descriptors = openDescriptors();
    let left = REQUESTS;
    const client = async () => {
      while (left-- > 0) {
        const size = pick(SIZES);
        const method = random() < 0.1 ? "HEAD" : "GET";
        const cutAfter = random() < 0.5 ? Infinity : Math.floor(random() * (size + 300));
        await exchange(method, `/apps/main/l/${size}.bin`, pick(HEADERS), cutAfter);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    await idle();
    assert.equal(handler.permits.free, handler.permits.limit);
    // The runtime's own descriptors may differ by one or two; leaks would be hundreds.
    const now = openDescriptors();
    assert.ok(now <= descriptors + 5, `${descriptors} descriptors before, ${now} after`);
    assert.deepEqual(handler.unexpected, []);
  });

  it("leave all 16 permits for downloads afterwards", async () => {
    const responses = await Promise.all(
      Array.from({ length: 16 }, () => handler.fetch("/apps/main/l/300000.bin")),
    );
    assert.deepEqual(responses.map(({ status }) => status), Array(16).fill(200));
    assert.equal(handler.permits.free, 0);
    await Promise.all(responses.map((response) => response.body?.cancel()));
    assert.equal(handler.permits.free, 16);
  });
});
