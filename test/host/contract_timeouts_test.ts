import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { get, type RawConnection } from "../support/raw_http.ts";
import { until } from "../support/until.ts";
import { type Contract, startContract } from "./contract_fixture.ts";

const LIMITS = {
  headersTimeoutMs: 400,
  bodyTimeoutMs: 500,
  sendTimeoutMs: 1000,
  keepAliveTimeoutMs: 900,
} as const;

let contract: Contract;
before(async () => {
  contract = await startContract(LIMITS);
});
after(() => contract.stop());

/** Milliseconds until a connection ends. */
async function lifetime(connection: RawConnection): Promise<number> {
  const started = performance.now();
  await connection.ended(15_000);
  return performance.now() - started;
}

function post(target: string, length: number): string {
  return `POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;
}

describe("listener: time-outs", () => {
  it("cuts a client that sends nothing", async () => {
    const connection = await contract.connect();
    const lived = await lifetime(connection);
    assert.ok(lived >= LIMITS.headersTimeoutMs * 0.9, `${lived} ms`);
  });

  it("answers 408 to headers that trickle in", async () => {
    const connection = await contract.connect();
    const started = performance.now();
    let sent = "";
    const trickle = setInterval(() => {
      const byte = get("/text", `X: ${"a".repeat(1000)}`)[sent.length]!;
      sent += byte;
      connection.write(byte);
    }, 20);
    try {
      const response = await connection.response();
      assert.equal(response.status, 408);
      assert.equal(response.json().code, "request_timeout");
      assert.ok(performance.now() - started >= LIMITS.headersTimeoutMs * 0.9);
    } finally {
      clearInterval(trickle);
      connection.close();
    }
  });

  it("closes an idle connection, later than one that has begun a request", async () => {
    const idle = await contract.connect();
    idle.write(get("/text"));
    await idle.response();
    const lived = await lifetime(idle);
    assert.ok(lived >= LIMITS.keepAliveTimeoutMs * 0.9, `${lived} ms`);

    const begun = await contract.connect();
    begun.write(get("/text"));
    await begun.response();
    begun.write("GET /te");
    assert.equal((await begun.response()).status, 408);
    begun.close();
  });

  it("answers 408 to a body that stops coming in", async () => {
    const connection = await contract.connect();
    connection.write(post("/upload?k=stalled", 100) + "half");
    const response = await connection.response();
    assert.equal(response.status, 408);
    assert.equal(response.json().code, "request_timeout");
    assert.equal(await connection.ended(), "fin");
    const record = await contract.recordWhen("stalled", ({ bodyError }) => bodyError !== null);
    assert.equal(record.outcome, "timed_out");
  });

  it("takes a body that comes in slowly but steadily", async () => {
    const connection = await contract.connect();
    connection.write(post("/upload", 12));
    for (let count = 0; count < 12; count++) {
      await delay(LIMITS.bodyTimeoutMs / 5);
      connection.write("x");
    }
    assert.equal((await connection.response()).json().size, 12);
    connection.close();
  });

  it("waits for a slow handler and keeps a silent event stream", async () => {
    const stream = await contract.connect();
    stream.write(get("/events"));
    await stream.head();
    const slow = await contract.connect();
    slow.write(get("/slow?ms=2500"));
    assert.equal((await slow.response()).text(), "slow");
    assert.equal(stream.state(), "open");
    slow.close();
    stream.close();
  });

  for (const target of ["/file?n=60000000", "/endless?"]) {
    it(`cuts a reader of ${target} that has stopped`, async () => {
      const connection = await contract.connect();
      connection.write(get(`${target}&k=stopped${target.length}`));
      await connection.head();
      connection.pause();
      const record = await contract.recordWhen(
        `stopped${target.length}`,
        ({ outcome }) => outcome !== null,
        15_000,
      );
      assert.equal(record.outcome, "timed_out");
      if (target.startsWith("/file")) assert.equal(record.finishes, 1);
      else assert.equal(record.cancelled, true);
      connection.close();
    });
  }

  it("takes no more than the kernel's buffers hold for a reader that has stopped", async () => {
    const connection = await contract.connect();
    connection.write(get("/endless?k=buffered"));
    await connection.head();
    connection.pause();
    const record = await contract.recordWhen("buffered", ({ outcome }) => outcome !== null, 15_000);
    const mebibytes = record.pulls * 64 / 1024;
    assert.ok(mebibytes < 24, `${mebibytes} MiB were taken`);
    connection.close();
  });

  it("keeps a slow reader who is always at it", async () => {
    const connection = await contract.connect();
    const size = 60_000_000;
    connection.write(get(`/file?n=${size}&k=steady`));
    assert.equal((await connection.head()).status, 200);
    let taken = 0;
    const started = performance.now();
    // Enough for the client's kernel to tell the server's of it, less than the buffers hold.
    while (performance.now() - started < LIMITS.sendTimeoutMs * 4) {
      connection.resume();
      taken += (await connection.take(1_000_000)).length;
      connection.pause();
      await delay(LIMITS.sendTimeoutMs / 5);
    }
    assert.ok(taken < 30_000_000, `${taken} bytes`);
    connection.resume();
    taken += (await connection.take(size - taken)).length;
    assert.equal(taken, size);
    const record = await contract.recordWhen("steady", ({ outcome }) => outcome !== null);
    assert.equal(record.outcome, "finished");
    connection.close();
  });

  it("keeps no connection beyond these", async () => {
    await until(async () => (await contract.process()).connections[0] === 1);
    assert.doesNotMatch(contract.script.stdout(), /unhandled/);
  });
});
