import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { get, rawConnect, type RawConnection, rawRequest } from "../support/raw_http.ts";
import { until } from "../support/until.ts";
import { type Contract, startContract } from "./contract_fixture.ts";

let contract: Contract;
before(async () => {
  contract = await startContract();
});
after(() => contract.stop());

function post(target: string, ...lines: string[]): string {
  return [`POST ${target} HTTP/1.1`, "Host: localhost", ...lines, "", ""].join("\r\n");
}

/** Ways for a client to leave. */
const leave: { readonly [how: string]: (connection: RawConnection) => void } = {
  close: (connection) => connection.close(),
  reset: (connection) => connection.reset(),
};

describe("listener: clients that leave", () => {
  for (const [how, act] of Object.entries(leave)) {
    it(`notices within ms a ${how} in an endless body`, async () => {
      const connection = await contract.connect();
      const key = `endless-${how}`;
      connection.write(get(`/endless?k=${key}`));
      await connection.take(1_000_000);
      act(connection);
      const started = performance.now();
      const record = await contract.recordWhen(key, ({ outcome }) => outcome !== null);
      assert.ok(performance.now() - started < 1000);
      assert.deepEqual([record.outcome, record.aborted, record.cancelled], [
        "client_gone",
        true,
        true,
      ]);
    });

    it(`notices within ms a ${how} of a silent event stream`, async () => {
      const connection = await contract.connect();
      const key = `events-${how}`;
      connection.write(get(`/events?k=${key}`));
      await connection.head();
      act(connection);
      const started = performance.now();
      const record = await contract.recordWhen(key, ({ outcome }) => outcome !== null);
      assert.ok(performance.now() - started < 1000);
      assert.deepEqual([record.outcome, record.aborted, record.cancelled], [
        "client_gone",
        true,
        true,
      ]);
    });

    it(`finishes a file once after a ${how}`, async () => {
      const connection = await contract.connect();
      const key = `file-${how}`;
      connection.write(get(`/file?n=30000000&k=${key}`));
      await connection.take(100_000);
      act(connection);
      const record = await contract.recordWhen(key, ({ finishes }) => finishes > 0);
      assert.deepEqual([record.outcome, record.finishes], ["client_gone", 1]);
    });
  }

  it("aborts a handler that waits when the client resets", async () => {
    const connection = await contract.connect();
    connection.write(get("/until-gone?k=until-gone"));
    await contract.recordWhen("until-gone", () => true);
    connection.reset();
    const record = await contract.recordWhen("until-gone", ({ aborted }) => aborted);
    assert.equal(record.outcome, "client_gone");
  });

  it("does not abort a request that was answered", async () => {
    const connection = await contract.connect();
    connection.write(get("/text?k=answered"));
    await connection.response();
    connection.close();
    await until(async () => (await contract.process()).connections[0] === 1);
    const record = await contract.record("answered");
    assert.deepEqual([record?.outcome, record?.aborted], ["finished", false]);
  });

  it("fails an upload that is cut off", async () => {
    for (const how of ["finish", "reset"] as const) {
      const connection = await contract.connect();
      connection.write(post(`/upload?k=cut-${how}`, "Content-Length: 1000") + "half");
      await contract.recordWhen(`cut-${how}`, () => true);
      connection[how]();
      const record = await contract.recordWhen(`cut-${how}`, ({ bodyError }) => bodyError !== null);
      assert.equal(record.aborted, true);
      if (how === "finish") assert.equal((await connection.response()).status, 400);
    }
  });
});

describe("listener: half-closed clients", () => {
  for (const target of ["/text?n=9", "/pieces", "/trickle", "/slow?ms=100", "/file?n=4000000"]) {
    it(`answers ${target} whole after FIN`, async () => {
      const connection = await contract.connect();
      connection.write(get(target));
      connection.finish();
      const response = await connection.response();
      assert.equal(response.complete, true);
      assert.equal(await connection.ended(), "fin");
    });
  }

  it("answers all requests that came before FIN", async () => {
    const connection = await contract.connect();
    connection.write(get("/slow?ms=50") + get("/text?n=2") + get("/text?n=3"));
    connection.finish();
    for (const size of [4, 2, 3]) assert.equal((await connection.response()).body.length, size);
    assert.equal(await connection.ended(), "fin");
  });

  it("ends an event stream", async () => {
    const connection = await contract.connect();
    connection.write(get("/events?k=half"));
    connection.finish();
    assert.equal((await connection.head()).status, 200);
    await connection.ended();
    await contract.recordWhen("half", ({ cancelled }) => cancelled);
  });
});

describe("listener: uploads", () => {
  it("reads a large body, by length and by chunks", async () => {
    const bytes = new Uint8Array(3_000_000).map((_, index) => index % 251);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const connection = await contract.connect();
    connection.write(post("/upload", `Content-Length: ${bytes.length}`));
    connection.write(bytes);
    assert.deepEqual((await connection.response()).json(), { size: bytes.length, sha256 });
    connection.write(post("/upload", "Transfer-Encoding: chunked"));
    for (let at = 0; at < bytes.length; at += 70_000) {
      const piece = bytes.subarray(at, at + 70_000);
      connection.write(`${piece.length.toString(16)}\r\n`);
      connection.write(piece);
      connection.write("\r\n");
    }
    connection.write("0\r\n\r\n");
    assert.deepEqual((await connection.response()).json(), { size: bytes.length, sha256 });
    connection.close();
  });

  it("sends a body back while it comes in", async () => {
    const connection = await contract.connect();
    connection.write(post("/mirror", "Content-Length: 10") + "01234");
    assert.equal((await connection.head()).status, 200);
    await connection.until("01234");
    connection.write("56789");
    await connection.until("56789");
    assert.equal(await connection.until("\r\n0\r\n\r\n"), "\r\n0\r\n\r\n");
    connection.close();
  });

  it("stops taking what nobody reads", async () => {
    const connection = await contract.connect();
    connection.write(post("/slow?ms=2000&k=unread", "Content-Length: 500000000"));
    let sent = 0;
    const piece = new Uint8Array(1_000_000);
    for (let count = 0; count < 60; count++) {
      sent += piece.length;
      if (!connection.socket.write(piece)) {
        const drained = new Promise((resolve) => connection.socket.once("drain", resolve));
        const stuck = new Promise((resolve) => setTimeout(resolve, 500, "stuck"));
        if (await Promise.race([drained, stuck]) === "stuck") break;
      }
    }
    assert.ok(sent < 30_000_000, `${sent} bytes went out`);
    connection.reset();
    await contract.recordWhen("unread", ({ outcome }) => outcome !== null);
  });

  it("reads away a small unread body and keeps the connection", async () => {
    const connection = await contract.connect();
    connection.write(post("/no-read", "Content-Length: 60000"));
    const response = await connection.response();
    assert.equal(response.header("connection"), null);
    connection.write(new Uint8Array(60_000));
    connection.write(get("/text?n=2"));
    assert.equal((await connection.response()).text(), "xx");
    connection.close();
  });

  for (const target of ["/no-read", "/cancel-read"]) {
    it(`closes after ${target} with a large body, so that the response can be read`, async () => {
      const connection = await contract.connect();
      connection.write(post(target, "Content-Length: 20000000"));
      for (let count = 0; count < 20; count++) connection.write(new Uint8Array(1_000_000));
      const response = await connection.response();
      assert.equal(response.status, 200);
      assert.equal(response.header("connection"), "close");
      assert.equal(await connection.ended(), "fin");
    });
  }

  it("sends 100 Continue when the body is read", async () => {
    const connection = await contract.connect();
    connection.write(post("/upload", "Content-Length: 5", "Expect: 100-continue"));
    assert.equal(await connection.until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    connection.write("hello");
    const response = await connection.response();
    assert.equal(response.json().size, 5);
    assert.equal(response.header("connection"), null);
    connection.close();
  });

  it("sends no 100 Continue when the body is not read, and closes", async () => {
    const connection = await contract.connect();
    connection.write(post("/no-read", "Content-Length: 5", "Expect: 100-continue"));
    assert.match(await connection.until("\r\n\r\n"), /^HTTP\/1\.1 200 OK\r\n[^]*connection: close/);
    assert.equal(await connection.ended(), "fin");
  });
});

describe("listener: connections", () => {
  it("closes when the client asks for it", async () => {
    const connection = await contract.connect();
    connection.write(get("/text", "Connection: Close"));
    assert.equal((await connection.response()).header("connection"), "close");
    assert.equal(await connection.ended(), "fin");
  });

  it("answers on a Unix socket that only its owner may use", async () => {
    const response = await rawRequest({ path: contract.socketPath }, get("/echo"));
    const { transport, peer, local } = response.json();
    assert.deepEqual([transport, peer, local], ["unix", null, null]);
    assert.equal(statSync(contract.socketPath).mode & 0o777, 0o600);
  });

  it("says where both ends of a TCP connection are", async () => {
    const connection = await contract.connect();
    connection.write(get("/echo"));
    const { transport, peer, local } = (await connection.response()).json();
    assert.equal(transport, "tcp");
    assert.deepEqual(peer, { address: "127.0.0.1", port: connection.socket.localPort });
    assert.deepEqual(local, { address: "127.0.0.1", ...contract.target });
    connection.close();
  });

  it("leaks no descriptor over many requests that are cut at some point", async () => {
    const before = await contract.process();
    const targets = ["/endless", "/events", "/file?n=3000000", "/trickle", "/slow?ms=20", "/head"];
    for (let round = 0; round < 50; round++) {
      await Promise.all(targets.map(async (target, index) => {
        const connection = await contract.connect();
        connection.write(get(target));
        const wait = (round * targets.length + index) % 5;
        if (wait > 0) await connection.take(wait * 15);
        if ((round + index) % 2 === 0) connection.reset();
        else connection.close();
      }));
    }
    await until(async () => {
      const now = await contract.process();
      return now.connections[0] === 1 && now.descriptors <= before.descriptors;
    });
    assert.doesNotMatch(contract.script.stdout(), /unhandled/);
  });

  it("refuses connections over the limit with 503", async () => {
    const small = await startContract({ maxConnections: 2 });
    try {
      const kept = [await rawConnect(small.target), await rawConnect(small.target)];
      for (const connection of kept) {
        connection.write(get("/events"));
        await connection.head();
      }
      const refused = await rawConnect(small.target);
      const response = await refused.response();
      assert.equal(response.status, 503);
      assert.equal(response.header("retry-after"), "1");
      assert.equal(response.json().code, "service_unavailable");
      assert.equal(await refused.ended(), "fin");
      kept.forEach((connection) => connection.close());
      await until(async () => (await rawRequest(small.target, get("/text"))).status === 200);
    } finally {
      await small.stop();
    }
  });

  it("cuts at the limit who has waited longest without a request, or the rest of one", async () => {
    const small = await startContract({ maxConnections: 3 });
    try {
      const body = await rawConnect(small.target);
      body.write(post("/echo", "Content-Length: 5", "Expect: 100-continue"));
      // The server says so once it waits for the body.
      assert.equal((await body.head()).status, 100);
      const silent = await rawConnect(small.target);
      const half = await rawConnect(small.target);
      half.write("GET /text HT");
      const owner = await rawConnect(small.target);
      owner.write(get("/text"));
      assert.equal((await owner.response()).status, 200);
      await body.ended();
      assert.deepEqual([silent.state(), half.state()], ["open", "open"]);
      const stream = await rawConnect(small.target);
      stream.write(get("/events"));
      await stream.head();
      await silent.ended();
      assert.equal(half.state(), "open");
      half.write("TP/1.1\r\nHost: localhost\r\n\r\n");
      assert.equal((await half.response()).status, 200);
      [half, owner, stream].forEach((connection) => connection.close());
    } finally {
      await small.stop();
    }
  });

  it("lets responses under way finish when it closes, and drops idle connections", async () => {
    const closing = await startContract();
    try {
      const idle = await closing.connect();
      idle.write(get("/text"));
      await idle.response();
      const busy = await closing.connect();
      busy.write(get("/slow?ms=300&k=slow"));
      await closing.recordWhen("slow", () => true);
      closing.script.signal("SIGTERM");
      assert.equal(await idle.ended(), "fin");
      const response = await busy.response();
      assert.equal(response.text(), "slow");
      assert.equal(response.header("connection"), "close");
      assert.equal(await busy.ended(), "fin");
      await closing.script.line(/^closed$/);
      // Nothing of the listener keeps the process alive, and its socket file is gone.
      assert.equal(await closing.script.exited, 0);
      assert.throws(() => statSync(closing.socketPath));
    } finally {
      await closing.stop();
    }
  });

  it("cuts what is still under way after the grace time", async () => {
    const closing = await startContract();
    try {
      const stream = await closing.connect();
      stream.write(get("/events"));
      await stream.head();
      closing.script.signal("SIGTERM");
      await stream.ended();
      assert.equal(await closing.script.exited, 0);
    } finally {
      await closing.stop();
    }
  });
});
