import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { after, before, beforeEach, describe, it } from "node:test";
import { buffers } from "../../../src/host/buffer_pool.ts";
import { createHost } from "../../../src/host/current.ts";
import { lightResponse } from "../../../src/host/fetch/light_response.ts";
import { attachFileBody } from "../../../src/host/file_body.ts";
import type { FileStat, Listener, OpenedFile } from "../../../src/host/types.ts";
import { get, rawConnect, type RawConnection, rawRequest } from "../../support/raw_http.ts";
import { until } from "../../support/until.ts";

/** Long enough for several pieces, and for more than sockets hold. */
const SIZE = 24 * 1024 * 1024;

/** A read that was asked for and waits. */
interface Held {
  readonly view: Uint8Array;
  readonly position: number;
  readonly resolve: (count: number) => void;
  readonly reject: (error: Error) => void;
}

/** Reads that wait, the oldest first. */
let held: Held[] = [];
/** Whether reads wait at all. */
let holds = false;
/** Memory that reads were given and that they have not filled yet. */
const underRead = new Set<ArrayBufferLike>();
let clashes = 0;
let finished = 0;
let errors: unknown[] = [];
let listener: Listener;

/** Each place tells itself, also from those a piece or a page away. */
const CONTENT = Buffer.from(
  new Uint32Array(SIZE / 4).map((_, index) => Math.imul(index, 0x9e3779b1)).buffer,
);

function fill(view: Uint8Array, position: number): number {
  view.set(CONTENT.subarray(position, position + view.length));
  return view.length;
}

const file: OpenedFile = {
  stat: { size: SIZE, mtimeMs: 0 } as FileStat,
  refresh: () => {},
  statNow: () => file.stat,
  readSync: fill,
  close: () => {},
  async read(view, position) {
    if (underRead.has(view.buffer)) clashes++;
    if (!holds) return await Promise.resolve(fill(view, position));
    underRead.add(view.buffer);
    try {
      return await new Promise<number>((resolve, reject) => {
        held.push({ view, position, resolve, reject });
      });
    } finally {
      underRead.delete(view.buffer);
    }
  },
};

before(async () => {
  listener = await createHost().listen({
    address: { transport: "tcp", host: "127.0.0.1", port: 0 },
    fetch: () => {
      const response = lightResponse(200, new Map([["content-length", String(SIZE)]]));
      attachFileBody(response, { file, start: 0, end: SIZE, finish: () => void finished++ });
      return Promise.resolve(response);
    },
    onError: (error) => void errors.push(error),
  });
});
after(() => listener.close(0));

beforeEach(() => {
  assert.equal(buffers.pieces, 0, "nothing was left over");
  [held, errors, holds, clashes, finished] = [[], [], false, 0, 0];
});

function target() {
  const { address } = listener;
  return { port: address.transport === "tcp" ? address.port : 0 };
}

async function ask(): Promise<RawConnection> {
  const connection = await rawConnect(target());
  connection.write(get("/"));
  return connection;
}

/** Lets the oldest read that waits end. */
function proceed(): void {
  const read = held.shift()!;
  read.resolve(fill(read.view, read.position));
}

async function sendsWhole(): Promise<void> {
  const { body, complete } = await rawRequest(target(), get("/"));
  assert.equal(complete, true);
  assert.equal(body.equals(CONTENT), true, "every byte is the file's");
}

/** A transfer whose first piece was read and whose next one is being read ahead. */
async function askAndReadAhead(): ReturnType<typeof ask> {
  holds = true;
  const connection = await ask();
  await until(() => held.length === 1);
  proceed();
  await until(() => held.length === 1);
  return connection;
}

describe("sendFile(): large files", () => {
  it("sends every byte in its place, in pieces of all sizes, and keeps no buffer", async () => {
    await Promise.all([sendsWhole(), sendsWhole(), sendsWhole()]);
    await until(() => finished === 3 && buffers.pieces === 0);
    assert.deepEqual(errors, []);
  });

  it("gives nobody a buffer that a read ahead still fills, though its client is gone", async () => {
    const connection = await askAndReadAhead();
    connection.reset();
    await until(() => finished === 1 || listener.connections === 0);
    assert.equal(buffers.pieces >= 1, true, "the read ahead keeps its buffer");
    holds = false;
    await Promise.all([sendsWhole(), sendsWhole()]);
    assert.equal(clashes, 0);
    const [late] = held;
    late!.view.fill(0xee);
    late!.resolve(late!.view.length);
    await until(() => buffers.pieces === 0);
    await sendsWhole();
    await until(() => buffers.pieces === 0);
  });

  it("gives everything back where clients leave before their first read ends", async () => {
    holds = true;
    const connections = await Promise.all(Array.from({ length: 7 }, ask));
    // Some of them wait for their turn: no more are read at once, unless reads hang.
    await until(() => held.length >= 4);
    connections.forEach((connection) => connection.reset());
    await until(() => listener.connections === 0);
    holds = false;
    while (held.length > 0) {
      if (held.length % 2 === 0) proceed();
      else held.shift()!.reject(new Error("The file is closed"));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => finished === 7 && buffers.pieces === 0);
    assert.deepEqual(errors, []);
    await sendsWhole();
    await until(() => buffers.pieces === 0);
  });

  it("tells of no fault where a read ahead fails since the client is gone", async () => {
    const connection = await askAndReadAhead();
    connection.reset();
    await until(() => listener.connections === 0);
    held.shift()!.reject(new Error("The file is closed"));
    await until(() => finished === 1 && buffers.pieces === 0);
    assert.deepEqual(errors, []);
  });

  it("answers 500 where the first read fails", async () => {
    holds = true;
    const connection = await ask();
    await until(() => held.length === 1);
    held.shift()!.reject(new Error("no disk"));
    assert.equal((await connection.response()).status, 500);
    connection.close();
    assert.deepEqual([finished, buffers.pieces, errors.length], [1, 0, 1]);
  });

  it("cuts the connection where a read ahead fails", async () => {
    const connection = await askAndReadAhead();
    const first = held[0]!.position;
    held.shift()!.reject(new Error("no disk"));
    const { status, body, complete } = await connection.response();
    assert.deepEqual([status, body.length, complete], [200, first, false]);
    await until(() => finished === 1 && buffers.pieces === 0);
    assert.deepEqual(errors.map(String), ["Error: no disk"]);
  });

  it("keeps a bounded number of buffers for readers that stop, and gives them back", async () => {
    const connections = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const connection = await rawConnect(target());
        connection.pause();
        connection.write(get("/"));
        return connection;
      }),
    );
    await until(() => buffers.pieces >= 6);
    await sendsWhole();
    assert.equal(buffers.pieces <= 12, true);
    const [first, ...others] = connections;
    others.forEach((connection) => connection.reset());
    first!.resume();
    assert.equal((await first!.response()).body.equals(CONTENT), true);
    first!.close();
    await until(() => finished === 7 && buffers.pieces === 0);
  });
});
