import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash, randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type ListeningHolon, listeningHolon } from "../support/listening_holon.ts";
import { get, rawConnect, type RawConnection, rawRequest } from "../support/raw_http.ts";
import { until } from "../support/until.ts";

const SEND_TIMEOUT_MS = 3000;
/** More than the kernel's buffers hold for a reader that has stopped, several times over. */
const SIZE = 60 * 1024 * 1024;
const PERMITS = 16;

describe("bug reports about slow clients", () => {
  let holon: ListeningHolon;
  let digest: string;
  const connections: RawConnection[] = [];
  before(async () => {
    holon = await listeningHolon({ limits: { sendTimeoutMs: SEND_TIMEOUT_MS } });
    const bytes = randomBytes(SIZE);
    digest = createHash("sha256").update(bytes).digest("hex");
    holon.write({ "slow/index.html": "<p>s", "slow/f.bin": bytes });
  });
  after(async () => {
    for (const connection of connections) connection.close();
    await holon.close();
  });

  /** Asks for the large file; takes the head, and then nothing. */
  async function download(): Promise<{ connection: RawConnection; status: number }> {
    const connection = await rawConnect({ port: holon.port });
    connections.push(connection);
    connection.write(get("/apps/main/slow/f.bin"));
    const { status } = await connection.head();
    connection.pause();
    return { connection, status };
  }

  const small = async () =>
    (await rawRequest({ port: holon.port }, get("/apps/main/slow/"))).status;

  it("BR-08: a slow client gets all of a file; one that stalls is cut, and its permit free", async () => {
    const hash = createHash("sha256");
    let received = 0;
    const take = (bytes: Buffer) => {
      hash.update(bytes);
      received += bytes.length;
    };
    const slow = await download();
    const started = performance.now();
    let isSlow = true;
    const reading = (async () => {
      while (isSlow) {
        slow.connection.resume();
        take(await slow.connection.take(600_000));
        slow.connection.pause();
        await delay(SEND_TIMEOUT_MS / 10);
      }
      slow.connection.resume();
      take(await slow.connection.take(SIZE - received, 30_000));
    })();

    const stalled = await Promise.all(Array.from({ length: PERMITS - 1 }, download));
    assert.deepEqual(new Set([slow, ...stalled].map(({ status }) => status)), new Set([200]));
    assert.equal(await small(), 503);
    await until(async () => await small() === 200);
    // It has been slow for longer than a reader that has stopped may last.
    await until(() => performance.now() - started > SEND_TIMEOUT_MS * 2.5);
    assert.ok(received < SIZE - 10_000_000, `${received} bytes, so it was not slow`);
    isSlow = false;
    await reading;
    assert.equal(received, SIZE);
    assert.equal(hash.digest("hex"), digest);

    await until(() => holon.listener.connections === 1);
    const fresh = await Promise.all(Array.from({ length: PERMITS }, download));
    assert.deepEqual(fresh.map(({ status }) => status), Array(PERMITS).fill(200));
  });
});

describe("bug reports about cookies of other programs", () => {
  const TOKEN = "a token that is long enough";
  let open: ListeningHolon;
  let locked: ListeningHolon;
  before(async () => {
    open = await listeningHolon();
    locked = await listeningHolon({ token: TOKEN });
    for (const holon of [open, locked]) holon.write({ "ck/index.html": "C" });
  });
  after(async () => {
    for (const holon of [open, locked]) {
      await holon.close();
      assert.deepEqual(holon.errors, []);
    }
  });

  const cookie = (bytes: number) => `Cookie: ${"c=".padEnd(bytes, "x")}`;
  const page = (...lines: string[]) => get("/apps/main/ck/", ...lines);

  for (const bytes of [8_200, 12_000, 15_500]) {
    it(`BR-45: ${bytes} bytes of them are no trouble, nor for the request behind`, async () => {
      const connection = await rawConnect({ port: open.port });
      connection.write(page(cookie(bytes)) + page("Connection: close"));
      for (let count = 0; count < 2; count++) {
        const response = await connection.response();
        assert.deepEqual([response.status, response.text()], [200, "C"]);
      }
      assert.equal(await connection.ended(), "fin");
    });
  }

  const oversized: readonly (readonly [what: string, lines: readonly string[], cause: RegExp])[] = [
    ["40,000 bytes of cookies", [cookie(40_000)], /Cookies of other programs/],
    ["200 lines", Array.from({ length: 200 }, (_, n) => `X-${n}: y`), /more than \d+ header lines/],
    ["a line of 70,000 bytes", [`X: ${"y".repeat(70_000)}`], /headers are larger than/],
  ];
  for (const [what, lines, cause] of oversized) {
    it(`BR-45: ${what} are refused with the cause, as JSON or as a page`, async () => {
      for (const accept of ["*/*", "text/html,*/*;q=0.8"]) {
        const connection = await rawConnect({ port: open.port });
        const asked = [`Accept: ${accept}`, ...lines];
        connection.write(page() + page(...asked) + page());
        assert.equal((await connection.response()).status, 200);
        const refused = await connection.response();
        assert.equal(refused.status, 431);
        assert.ok(refused.complete);
        if (accept === "*/*") assert.equal(refused.json().code, "headers_too_large");
        else assert.match(refused.header("content-type") ?? "", /^text\/html/);
        assert.match(refused.text(), cause);
        // What came behind it can't be told from the rest of the head.
        assert.equal((await connection.rest()).length, 0);
      }
      assert.equal((await rawRequest({ port: open.port }, page())).status, 200);
    });
  }

  it("BR-45: a session is found among broken cookies", async () => {
    const target = { port: locked.port };
    const body = JSON.stringify({ credential: TOKEN });
    const exchange = await rawRequest(
      target,
      `POST /api/auth/session/exchange HTTP/1.1\r\nHost: localhost:${locked.port}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    assert.equal(exchange.status, 200);
    const session = (exchange.header("set-cookie") ?? "").split(";")[0] ?? "";
    const [name = ""] = session.split("=");
    const broken = [
      `${name}=wrong`,
      "no equals sign",
      "=nameless",
      'quoted="a b; c',
      "  spaces  =  x  ",
      "grüße=café ☕",
      "",
      `${name}`,
      `x${name}=${"0".repeat(64)}`,
      ...Array.from({ length: 50 }, (_, n) => `c${n}=v${n}`),
    ];
    const status = async (cookies: readonly string[]) => {
      const lines = [`GET /apps/main/ck/ HTTP/1.1`, `Host: localhost:${locked.port}`];
      const text = [...lines, `Cookie: ${cookies.join("; ")}`, "", ""].join("\r\n");
      return (await rawRequest(target, Buffer.from(text), { head: false })).status;
    };
    assert.equal(await status([...broken, session]), 200);
    assert.equal(await status([session, ...broken]), 200);
    assert.equal(await status(broken), 401);
  });
});
