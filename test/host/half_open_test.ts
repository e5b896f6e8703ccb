import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { get, rawConnect, type RawConnection, rawRequest } from "../support/raw_http.ts";
import { until } from "../support/until.ts";
import { startContract } from "./contract_fixture.ts";

/** What a client sends that never comes to the end of a request. */
const BEGINNINGS = [
  "",
  "G",
  "GET /text HTTP/1.1\r\n",
  "GET /text HTTP/1.1\r\nHost: localhost\r\nX-A: 1\r\n",
  "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
];

describe("listener: clients that never finish", () => {
  it("answers others beside 1,000 of them, and ends them in time", async () => {
    const limits = { headersTimeoutMs: 2_000, bodyTimeoutMs: 2_000 };
    const contract = await startContract(limits);
    try {
      const before = await contract.process();
      const halves: RawConnection[] = [];
      for (let round = 0; round < 10; round++) {
        halves.push(
          ...await Promise.all(
            Array.from({ length: 100 }, async (_, index) => {
              const connection = await rawConnect(contract.target);
              connection.write(BEGINNINGS[index % BEGINNINGS.length]!);
              return connection;
            }),
          ),
        );
      }
      for (let n = 0; n < 50; n++) {
        assert.equal((await rawRequest(contract.target, get("/text"))).status, 200);
      }
      await until(() => halves.every((half) => half.state() !== "open"));
      const answered = halves.filter((half) => half.pending().length > 0);
      assert.ok(answered.every((half) => /^HTTP\/1\.1 408 /.test(half.pending().toString())));
      // Who has sent nothing is told nothing.
      assert.equal(answered.length, 800);
      halves.forEach((half) => half.close());
      await until(async () => {
        const now = await contract.process();
        return now.connections[0] === 1 && now.descriptors <= before.descriptors;
      });
      // The handler waited for the rest of a body; nothing else went wrong.
      const errors = new Set((await contract.process()).errors);
      assert.deepEqual([...errors], ["Error: The request body stopped coming in"]);
    } finally {
      await contract.stop();
    }
  });

  it("ends a head that comes in by drops, at the same time", async () => {
    const contract = await startContract({ headersTimeoutMs: 400 });
    try {
      const slow = await rawConnect(contract.target);
      slow.write("GET /text HTTP/1.1\r\n");
      const timer = setInterval(() => slow.write("X"), 20);
      assert.match((await slow.rest()).toString(), /^HTTP\/1\.1 408 /);
      clearInterval(timer);
      slow.close();
    } finally {
      await contract.stop();
    }
  });
});
