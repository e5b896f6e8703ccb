import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { after, before, describe, it } from "node:test";
import { JSON_BODY_LIMIT } from "../../src/http/json_body.ts";
import { type ListeningHolon, listeningHolon } from "../support/listening_holon.ts";
import { get, rawConnect, type RawConnection, type RawResponse } from "../support/raw_http.ts";

const MESSAGES = "/api/agents/main/messages";

let holon: ListeningHolon;
before(async () => {
  holon = await listeningHolon();
});
after(async () => {
  assert.deepEqual(holon.errors, []);
  await holon.close();
});

/** A message of exactly so many bytes. */
function sized(length: number): Buffer {
  const frame = '{"payload":""}';
  return Buffer.from(frame.replace('""', `"${"x".repeat(length - frame.length)}"`));
}

/** Bodies, with the status of their answer and what is stored of them. */
const BODIES: Readonly<Record<string, readonly [body: Buffer, status: number, stored?: unknown]>> =
  {
    "none": [Buffer.alloc(0), 400],
    "a small one": [Buffer.from('{"payload":{"a":"ä€😀"}}'), 200, { a: "ä€😀" }],
    "one with a BOM": [Buffer.from('\ufeff{"payload":1}'), 200, 1],
    "invalid UTF-8": [Buffer.from('{"payload":"\xff"}', "latin1"), 400],
    "half of JSON": [Buffer.from('{"payload":'), 400],
    "64 KiB": [sized(65_536), 200, "x".repeat(65_536 - 14)],
    "64 KiB and one byte": [sized(65_537), 200, "x".repeat(65_537 - 14)],
    "more than is allowed": [sized(JSON_BODY_LIMIT + 1), 413],
  };

const FRAMINGS = ["length", "chunked"] as const;

function encode(body: Buffer, framing: (typeof FRAMINGS)[number]): Buffer {
  if (framing === "length") return body;
  const parts: Buffer[] = [];
  for (let at = 0, size = 1; at < body.length; at += size, size = size * 3 + 1) {
    const piece = body.subarray(at, at + size);
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n"));
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}

function headOf(body: Buffer, framing: (typeof FRAMINGS)[number], ...lines: string[]): string {
  const length = framing === "length"
    ? `Content-Length: ${body.length}`
    : "Transfer-Encoding: chunked";
  return [
    `POST ${MESSAGES} HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    length,
    ...lines,
    "",
    "",
  ].join("\r\n");
}

/** Ways in which head and body may come in. */
const WAYS: Readonly<
  Record<
    string,
    (connection: RawConnection, body: Buffer, framing: (typeof FRAMINGS)[number]) => Promise<void>
  >
> = {
  async "with its head"(connection, body, framing) {
    connection.write(Buffer.concat([Buffer.from(headOf(body, framing)), encode(body, framing)]));
    await Promise.resolve();
  },
  async "in pieces"(connection, body, framing) {
    connection.write(headOf(body, framing));
    const encoded = encode(body, framing);
    for (let at = 0, size = 1; at < encoded.length; at += size, size = size * 5) {
      await new Promise((resolve) => setImmediate(resolve));
      connection.write(encoded.subarray(at, at + size));
    }
  },
  async "once it is asked for"(connection, body, framing) {
    connection.write(headOf(body, framing, "Expect: 100-continue"));
    // Nobody asks for what is known to be empty or too long.
    if (framing === "length" && (body.length === 0 || body.length > JSON_BODY_LIMIT)) return;
    assert.match(await connection.until("\r\n\r\n"), /^HTTP\/1\.1 100 /);
    connection.write(encode(body, framing));
  },
};

async function stored(connection: RawConnection, { json }: RawResponse): Promise<unknown> {
  connection.write(get(`${MESSAGES}/${json().message_id}`));
  return (await connection.response()).json().message.payload;
}

describe("a posted JSON body", () => {
  for (const [way, send] of Object.entries(WAYS)) {
    for (const framing of FRAMINGS) {
      it(`is taken as it is when it comes ${way}, by ${framing}`, async () => {
        for (const [what, [body, status, payload]] of Object.entries(BODIES)) {
          const connection = await rawConnect(holon);
          await send(connection, body, framing);
          const answer = await connection.response();
          assert.equal(answer.status, status, `${what}: ${answer.text().slice(0, 200)}`);
          assert.equal(answer.json().ok, status === 200, what);
          if (status === 200) assert.deepEqual(await stored(connection, answer), payload, what);
          connection.close();
        }
      });
    }
  }

  it("is told from the requests that follow it in the same write", async () => {
    const connection = await rawConnect(holon);
    const requests: Buffer[] = [];
    for (let nth = 0; nth < 20; nth++) {
      const framing = FRAMINGS[nth % 2]!;
      const body = Buffer.from(JSON.stringify({ payload: { nth, x: "y".repeat(nth * 200) } }));
      requests.push(Buffer.from(headOf(body, framing)), encode(body, framing));
      requests.push(Buffer.from(get("/api/agents")));
    }
    connection.write(Buffer.concat(requests));
    const ids: string[] = [];
    for (let nth = 0; nth < 20; nth++) {
      ids.push((await connection.response()).json().message_id);
      assert.equal((await connection.response()).json().agents[0].id, "main");
    }
    for (const [nth, id] of ids.entries()) {
      connection.write(get(`${MESSAGES}/${id}`));
      const { payload } = (await connection.response()).json().message;
      assert.deepEqual(payload, { nth, x: "y".repeat(nth * 200) });
    }
    connection.close();
  });

  it("of GET is read over, and the next request is answered", async () => {
    const connection = await rawConnect(holon);
    for (const length of [0, 5, 65_536]) {
      connection.write(get("/api/agents", `Content-Length: ${length}`));
      connection.write("x".repeat(length));
      assert.equal((await connection.response()).json().agents[0].id, "main");
    }
    connection.write(get("/api/agents"));
    assert.equal((await connection.response()).status, 200);
    connection.close();
  });

  it("is left where the handler refuses the request before it", async () => {
    const body = sized(65_536);
    const connection = await rawConnect(holon);
    for (let count = 0; count < 3; count++) {
      connection.write(headOf(body, "length").replace("application/json", "text/plain"));
      connection.write(body);
      assert.equal((await connection.response()).status, 415);
    }
    connection.close();
  });
});
