import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { get, rawRequest, type RawResponse } from "../support/raw_http.ts";
import { type Contract, startContract } from "./contract_fixture.ts";

let contract: Contract;
before(async () => {
  contract = await startContract();
});
after(() => contract.stop());

const DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

function fetchRaw(target: string, ...lines: string[]): Promise<RawResponse> {
  return rawRequest(contract.target, get(target, ...lines));
}

/** Whether a connection still answers after a response. */
async function staysInStep(target: string, head = false): Promise<RawResponse> {
  const connection = await contract.connect();
  connection.write(head ? get(target).replace("GET", "HEAD") : get(target));
  const response = await connection.response({ head });
  connection.write(get("/text?n=2"));
  assert.equal((await connection.response()).text(), "xx");
  connection.close();
  return response;
}

describe("listener: heads", () => {
  it("sends a reason phrase and a date", async () => {
    const response = await fetchRaw("/text");
    assert.equal(response.version, "HTTP/1.1");
    assert.equal(response.reason, "OK");
    assert.match(response.header("date") ?? "", DATE);
    assert.equal(response.header("connection"), null);
  });

  it("keeps the length of a HEAD response whose body is a stream, and cancels that", async () => {
    const response = await staysInStep("/head?k=head", true);
    assert.equal(response.header("content-length"), "1234");
    assert.equal(response.header("transfer-encoding"), null);
    const record = await contract.recordWhen("head", ({ outcome }) => outcome !== null);
    assert.equal(record.outcome, "finished");
    assert.equal(record.cancelled, true);
  });

  it("finishes the file of a HEAD response", async () => {
    await staysInStep("/file?n=100&k=head-file", true);
    const record = await contract.recordWhen("head-file", ({ outcome }) => outcome !== null);
    assert.equal(record.finishes, 1);
  });

  it("keeps the length of a 304 response", async () => {
    const response = await staysInStep("/not-modified");
    assert.equal(response.status, 304);
    assert.equal(response.header("content-length"), "1234");
    assert.equal(response.body.length, 0);
  });

  it("gives a 204 response no length", async () => {
    const response = await staysInStep("/no-content");
    assert.equal(response.header("content-length"), null);
    assert.equal(response.header("transfer-encoding"), null);
  });

  it("gives a response without a body the length 0", async () => {
    assert.equal((await staysInStep("/empty")).header("content-length"), "0");
  });

  it("keeps the connection's own headers to itself", async () => {
    const response = await staysInStep("/own-framing");
    assert.equal(response.header("transfer-encoding"), null);
    assert.equal(response.header("connection"), null);
    assert.deepEqual(response.headers.filter(([name]) => name === "content-length"), [
      ["content-length", "3"],
    ]);
    assert.equal(response.text(), "abc");
  });
});

describe("listener: stream bodies", () => {
  it("finds the length of a body that is there", async () => {
    for (const size of [0, 1, 5, 100_000]) {
      const response = await staysInStep(`/text?n=${size}`);
      assert.equal(response.body.length, size);
    }
    assert.equal((await fetchRaw("/text?n=5")).header("content-length"), "5");
  });

  it("sends several pieces in chunks", async () => {
    for (const target of ["/pieces", "/trickle"]) {
      const response = await staysInStep(target);
      assert.equal(response.header("transfer-encoding"), "chunked");
      assert.equal(response.header("content-length"), null);
      assert.equal(response.text(), "one,two,three");
      assert.equal(response.complete, true);
    }
  });

  it("ends the body of an HTTP/1.0 response by closing", async () => {
    const response = await rawRequest(contract.target, "GET /pieces HTTP/1.0\r\n\r\n");
    assert.equal(response.header("transfer-encoding"), null);
    assert.equal(response.text(), "one,two,three");
    assert.equal(response.complete, true);
  });

  for (const target of ["/short", "/short-null", "/fail", "/fail-chunked"]) {
    it(`breaks the connection after ${target}`, async () => {
      const response = await fetchRaw(`${target}?k=${target.slice(1)}`);
      assert.equal(response.status, 200);
      assert.equal(response.complete, false);
      const record = await contract.recordWhen(target.slice(1), ({ outcome }) => outcome !== null);
      assert.equal(record.outcome, "failed");
    });
  }

  it("resets an HTTP/1.0 connection whose body fails, since FIN would be its end", async () => {
    const connection = await contract.connect();
    connection.write("GET /fail-chunked HTTP/1.0\r\n\r\n");
    assert.equal(await connection.ended(), "error");
  });

  it("cuts a body that goes on past its length", async () => {
    const connection = await contract.connect();
    connection.write(get("/long?k=long"));
    const response = await connection.response();
    assert.equal(response.text(), "0123456789");
    assert.equal((await connection.rest()).length, 0);
    const record = await contract.recordWhen("long", ({ outcome }) => outcome !== null);
    assert.equal(record.outcome, "failed");
    assert.equal(record.cancelled, true);
  });

  for (const target of ["/throw", "/used-body", "/fail-first", "/no-response"]) {
    it(`answers 500 to ${target} and tells no detail`, async () => {
      const response = await fetchRaw(target);
      assert.equal(response.status, 500);
      assert.equal(response.json().code, "runtime_error");
      assert.doesNotMatch(response.text(), /secret|at once|body/);
    });
  }

  it("stays alive and handles every rejection", async () => {
    assert.equal((await fetchRaw("/text")).status, 200);
    assert.doesNotMatch(contract.script.stdout(), /unhandled/);
  });
});

describe("listener: event streams", () => {
  it("sends the head of a silent stream at once", async () => {
    const connection = await contract.connect();
    connection.write(get("/events?k=silent"));
    const head = await connection.head(1000);
    assert.equal(head.status, 200);
    assert.equal(head.header("transfer-encoding"), "chunked");
    connection.close();
    await contract.recordWhen("silent", ({ cancelled }) => cancelled);
  });

  it("sends each event by itself", async () => {
    const connection = await contract.connect();
    connection.write(get("/events-heard"));
    const response = await connection.response();
    assert.equal(response.text(), "data: 1\n\ndata: 2\n\n");
    assert.equal(response.complete, true);
    connection.close();
  });
});

describe("listener: slow event streams", () => {
  it("ends the connection when the stream gives up on a reader who has stopped", async () => {
    const connection = await contract.connect();
    connection.write(get("/events-flood?k=flood"));
    await connection.head();
    connection.pause();
    const record = await contract.recordWhen("flood", ({ outcome }) => outcome !== null, 25_000);
    assert.equal(record.bodyError, "too slow");
    await connection.ended();
  });
});

describe("listener: file bodies", () => {
  for (const size of [0, 1, 65_536, 65_537, 300_000, 5_000_000]) {
    it(`sends a file of ${size} bytes whole and finishes it once`, async () => {
      const response = await staysInStep(`/file?n=${size}&k=file-${size}`);
      assert.equal(response.header("content-length"), String(size));
      assert.equal(response.body.length, size);
      assert.ok(response.body.every((byte) => byte === 0x61));
      const record = await contract.recordWhen(`file-${size}`, ({ outcome }) => outcome !== null);
      assert.deepEqual([record.outcome, record.finishes], ["finished", 1]);
    });
  }

  it("breaks the connection when a file is truncated while it is sent", async () => {
    const response = await fetchRaw("/truncated?n=6000000&k=truncated");
    assert.equal(response.header("content-length"), "6000000");
    assert.equal(response.complete, false);
    assert.equal(response.body.length <= 3_000_000, true);
    const record = await contract.recordWhen("truncated", ({ outcome }) => outcome !== null);
    assert.deepEqual([record.outcome, record.finishes], ["failed", 1]);
  });

  it("breaks the connection when a small file is shorter than it was", async () => {
    const response = await fetchRaw("/truncated-small?k=truncated-small");
    assert.equal(response.header("content-length"), "200");
    assert.equal(response.complete, false);
    const record = await contract.recordWhen("truncated-small", ({ outcome }) => outcome !== null);
    assert.deepEqual([record.outcome, record.finishes], ["failed", 1]);
  });

  it("adds nothing when a file grows while it is sent", async () => {
    const response = await staysInStep("/grown?n=1000000");
    assert.equal(response.body.length, 1_000_000);
  });
});
