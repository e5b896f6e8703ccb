import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, it } from "node:test";
import { RequestBody } from "../../../src/host/http1/request_body.ts";

describe("RequestBody", () => {
  it("stream() gives what came in at once in one piece, however small the chunks are", async () => {
    const body = new RequestBody({ kind: "chunked" }, () => {});
    const reader = body.stream().getReader();
    assert.deepEqual(body.push(Buffer.from("1\r\na\r\n".repeat(1000))), Buffer.alloc(0));
    const { value } = await reader.read();
    assert.equal(value?.byteLength, 1000);
    assert.deepEqual(body.push(Buffer.from("1\r\nb\r\n0\r\n\r\n")), Buffer.alloc(0));
    assert.deepEqual((await reader.read()).value, new Uint8Array([0x62]));
    assert.equal((await reader.read()).done, true);
  });
});
