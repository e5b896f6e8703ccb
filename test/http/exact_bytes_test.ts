import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { buffers } from "../../src/host/buffer_pool.ts";
import { get, rawConnect, type RawConnection, rawRequest } from "../support/raw_http.ts";
import { type ListeningHolon, listeningHolon } from "../support/listening_holon.ts";
import { descriptorsOf } from "../support/process_figures.ts";
import { until } from "../support/until.ts";

const MIB = 1024 * 1024;
/** At and beside every size where another way of sending begins. */
const SIZES = [
  ...[0, 1, 100, 5700, 6143, 6144, 6145, 8191, 8192, 8193, 65_535, 65_536, 65_537, 73_729],
  ...[256 * 1024, 256 * 1024 + 1, MIB - 1, MIB + 1, 11 * MIB + 3],
];
const VERSIONS = 4;
const REPLACED = [6000, 60_000, 300_000];

/** More answers of 64 KiB than sockets hold. */
const PIPELINED = 120;

/** Bytes that tell file, version and place. */
function contentOf(size: number, version = 0): Buffer {
  const seed = Math.imul(size * 8 + version, 0x85ebca6b);
  const words = new Uint32Array(Math.ceil(size / 4));
  for (let index = 0; index < words.length; index++) {
    words[index] = Math.imul(index, 0x9e3779b1) ^ seed;
  }
  return Buffer.from(words.buffer, 0, size);
}

const files = new Map(SIZES.map((size) => [`f${size}.bin`, [contentOf(size)]]));
for (const size of REPLACED) {
  const versions = Array.from({ length: VERSIONS }, (_, version) => contentOf(size, version));
  files.set(`r${size}.bin`, versions);
}
const names = [...files.keys()];

let holon: ListeningHolon;
before(async () => {
  holon = await listeningHolon();
  for (const [name, [content]] of files) holon.write({ [`x/${name}`]: content! });
  holon.write({ "x/index.html": "<!doctype html>" });
});
after(() => holon.close());

/** Numbers that are the same at each run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9 | 0;
    return ((state ^ (state >>> 13)) >>> 0) % sides;
  };
}

interface Wanted {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly method: "GET" | "HEAD";
}

function choose(roll: (sides: number) => number): Wanted {
  const name = names[roll(names.length)]!;
  const { length } = files.get(name)![0]!;
  const method = roll(8) === 0 ? "HEAD" : "GET";
  if (length === 0 || roll(3) > 0) return { name, start: 0, end: length, method };
  const start = roll(length);
  return { name, method, start, end: Math.min(length, start + 1 + roll(200_000)) };
}

function requestOf({ name, start, end, method }: Wanted): string {
  const range = end > start ? [`Range: bytes=${start}-${end - 1}`] : [];
  return get(`/apps/main/x/${name}`, ...range).replace("GET", method);
}

async function check(connection: RawConnection, wanted: Wanted): Promise<void> {
  const head = wanted.method === "HEAD";
  const { status, body, complete } = await connection.response({ head });
  const { name, start, end } = wanted;
  const what = JSON.stringify(wanted);
  assert.equal(status, !head && end > start ? 206 : 200, what);
  assert.equal(complete, true, what);
  if (head) return;
  const isRight = files.get(name)!.some((version) => body.equals(version.subarray(start, end)));
  assert.equal(isRight, true, `${what} has other bytes`);
}

/** Asks for files, some at a time, and leaves in the middle of some. */
async function download(seed: number, rounds: number): Promise<void> {
  const roll = dice(seed);
  let connection = await rawConnect(holon);
  for (let round = 0; round < rounds; round++) {
    const several = Array.from({ length: 1 + roll(3) }, () => choose(roll));
    connection.write(several.map(requestOf).join(""));
    replaceOne(roll);
    if (roll(3) === 0) {
      const bodies = several.filter(({ method }) => method === "GET");
      const size = bodies.reduce((sum, { start, end }) => sum + end - start, 0);
      await connection.take(roll(Math.max(1, size)));
      if (roll(2) === 0) connection.reset();
      else connection.close();
      connection = await rawConnect(holon);
    } else {
      if (roll(4) === 0) connection.pause();
      await post(roll);
      connection.resume();
      for (const wanted of several) await check(connection, wanted);
    }
  }
  connection.close();
}

function replaceOne(roll: (sides: number) => number): void {
  const name = `r${REPLACED[roll(REPLACED.length)]}.bin`;
  const path = join(holon.home, "agents", "main", "apps", "x", name);
  writeFileSync(`${path}.new`, files.get(name)![roll(VERSIONS)]!);
  renameSync(`${path}.new`, path);
}

/** Sends a message in pieces, and compares what is stored. */
async function post(roll: (sides: number) => number): Promise<void> {
  const payload = { text: `ä€😀${"x".repeat(roll(2) * 100_000 + roll(3000))}`, nth: roll(1e9) };
  const body = Buffer.from(JSON.stringify({ payload }));
  const connection = await rawConnect(holon);
  connection.write(
    "POST /api/agents/main/messages HTTP/1.1\r\nHost: localhost\r\n" +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  const [first, second] = [roll(body.length), roll(body.length)].sort((a, b) => a - b);
  for (const piece of [body.subarray(0, first), body.subarray(first, second)]) {
    connection.write(piece);
    if (roll(2) === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  connection.write(body.subarray(second));
  const answer = await connection.response();
  assert.equal(answer.status, 200, answer.text().slice(0, 300));
  connection.write(get(`/api/agents/main/messages/${answer.json().message_id}`));
  const stored = (await connection.response()).json();
  assert.deepEqual(stored.message.payload, payload);
  connection.close();
}

describe("answers under many clients", () => {
  it("hold the bytes that were asked for and no others, and everything is given back", async () => {
    const countDescriptors = () => existsSync("/proc/self/fd") ? descriptorsOf(process.pid) : 0;
    await download(99, 1);
    await until(() => holon.listener.connections === 0);
    const descriptors = countDescriptors();
    await Promise.all(Array.from({ length: 8 }, (_, index) => download(index + 1, 7)));
    await until(() => holon.listener.connections === 0);
    await until(() => buffers.pieces === 0);
    await until(() => countDescriptors() <= descriptors);
    assert.equal(await inUse(), 0);
    assert.deepEqual(holon.errors, []);
  });

  it("stay what they were while their reader stops and others are answered", async () => {
    const api = get("/api/openapi.json");
    const large = get("/apps/main/x/f65535.bin");
    const small = get("/apps/main/x/f5700.bin");
    const document = (await rawRequest(holon, api)).body;
    const [ofLarge, ofSmall] = [contentOf(65_535), contentOf(5700)];
    const pipelines = [
      (large + small).repeat(PIPELINED),
      large.repeat(PIPELINED),
      api.repeat(PIPELINED / 2),
    ];
    const stopped = await Promise.all(pipelines.map(async (requests) => {
      const connection = await rawConnect(holon);
      connection.pause();
      connection.write(requests);
      return { connection, requests };
    }));
    let still = 0;
    await until(async () => (still = await inUse() === 2 ? still + 1 : 0) === 10);
    const roll = dice(7);
    const others = ["f100.bin", "f6144.bin", "f65536.bin", "f8192.bin", "f73729.bin", "r6000.bin"];
    for (let count = 0; count < 60; count++) {
      const name = others[roll(others.length)]!;
      const { body } = await rawRequest(holon, get(`/apps/main/x/${name}`));
      assert.equal(files.get(name)!.some((version) => body.equals(version)), true, name);
    }
    await Promise.all(stopped.map(async ({ connection, requests }) => {
      connection.resume();
      for (const request of requests.match(/GET .*?\r\n\r\n/gs)!) {
        const { body } = await connection.response();
        const expected = request === api ? document : request === large ? ofLarge : ofSmall;
        assert.equal(body.equals(expected), true, request);
      }
      connection.close();
    }));
  });
});

/** How many files are being sent. */
async function inUse(): Promise<number> {
  const metrics = await rawRequest(holon, get("/api/metrics"));
  return Number(/^holon_asset_permits_in_use (\d+)$/m.exec(metrics.text())?.[1]);
}
