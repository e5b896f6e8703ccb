import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createHolon, type Holon } from "../src/holon.ts";
import { createHost } from "../src/host/current.ts";
import { tempDirectory } from "./support/temp_home.ts";

const TOKEN = "a token that is long enough";
const APP = "/apps/main/card";
const MESSAGES = "/api/agents/main/messages";
const HTML = { accept: "text/html" };
const BIG = new Uint8Array(300_000).map((_, index) => index * 7 + (index >> 8));

type Call = readonly [method: string, path: string, headers?: Record<string, string>];

/** One of each kind of answer. */
const CALLS: readonly Call[] = [
  ["GET", "/api/agents"],
  ["HEAD", "/api/agents"],
  ["OPTIONS", "/api/agents"],
  ["DELETE", "/api/agents"],
  ["GET", "/api/openapi.json"],
  ["GET", "/api/metrics"],
  ["GET", "/nothing"],
  ["GET", "/nothing", HTML],
  ["GET", APP],
  ["GET", `${APP}/`],
  ["HEAD", `${APP}/big.bin`],
  ["GET", `${APP}/big.bin`],
  ["GET", `${APP}/big.bin`, { range: "bytes=5-70000" }],
  ["GET", `${APP}/big.bin`, { range: "bytes=999999-" }],
  ["POST", MESSAGES],
];

describe("createHolon().fetch() without a listener", () => {
  const directory = tempDirectory();
  const home = realpathSync(directory.path);
  let holon: Holon;

  before(async () => {
    const app = join(home, "agents/main/apps/card");
    mkdirSync(app, { recursive: true });
    writeFileSync(join(app, "index.html"), "<p>card");
    writeFileSync(join(app, "big.bin"), BIG);
    holon = await createHolon({ host: createHost(), home, token: TOKEN });
  });
  after(async () => {
    await holon.close();
    directory.remove();
  });

  function call([method, path, headers = {}]: Call, body?: BodyInit): Promise<Response> {
    return holon.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { ...headers, authorization: `Bearer ${TOKEN}` },
        ...(body === undefined ? {} : { body, duplex: "half" }),
      }),
    );
  }

  for (const asked of CALLS) {
    it(`gives the runtime's own response to ${asked.slice(0, 2).join(" ")}`, async () => {
      const response = await call(asked);
      assert.equal(Object.getPrototypeOf(response), Response.prototype);
      assert.equal(Object.getPrototypeOf(response.headers), Headers.prototype);
      // What servers and middleware do with one.
      const copy = response.clone();
      const wrapped = new Response(response.body, response);
      assert.equal(wrapped.status, response.status);
      assert.match(wrapped.headers.get("x-request-id") ?? "", /\S/);
      assert.deepEqual([...copy.headers], [...response.headers]);
      const [bytes, same] = await Promise.all([wrapped.arrayBuffer(), copy.arrayBuffer()]);
      assert.deepEqual(new Uint8Array(bytes), new Uint8Array(same));
      const length = response.headers.get("content-length");
      if (length !== null && asked[0] !== "HEAD") assert.equal(bytes.byteLength, Number(length));
    });
  }

  it("gives JSON, text and the bytes of files", async () => {
    const listed = await (await call(["GET", "/api/agents"])).json();
    assert.equal(listed.agents[0].id, "main");
    assert.equal(await (await call(["GET", `${APP}/`])).text(), "<p>card");
    const big = await (await call(["GET", `${APP}/big.bin`])).arrayBuffer();
    assert.deepEqual(new Uint8Array(big), BIG);
    const part = await call(["GET", `${APP}/big.bin`, { range: "bytes=5-70000" }]);
    assert.deepEqual(new Uint8Array(await part.arrayBuffer()), BIG.subarray(5, 70_001));
  });

  it("reads a body that is there and one that streams", async () => {
    const json = { "content-type": "application/json" };
    const text = JSON.stringify({ payload: { a: "ä€" } });
    for (const body of [text, new Blob([text.slice(0, 9), text.slice(9)]).stream()]) {
      const answer = await call(["POST", MESSAGES, json], body);
      const { message_id } = await answer.json();
      const stored = await (await call(["GET", `${MESSAGES}/${message_id}`])).json();
      assert.deepEqual(stored.message.payload, { a: "ä€" });
    }
  });

  it("gives its permits back for bodies that nobody reads to the end", async () => {
    for (let count = 0; count < 40; count++) {
      const response = await call(["GET", `${APP}/big.bin`]);
      assert.equal(response.status, 200);
      await response.body?.cancel();
    }
    const metrics = await (await call(["GET", "/api/metrics"])).text();
    assert.match(metrics, /^holon_asset_permits_in_use 0$/m);
  });
});
