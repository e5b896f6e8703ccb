import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { Fault } from "../../src/fault.ts";
import { readJson } from "../../src/http/json_body.ts";

const Shape = z.strictObject({ name: z.string() });

async function outcome(body: BodyInit, type: string | null, limit?: number): Promise<string> {
  const request = new Request("http://x/", { method: "POST", body });
  if (type === null) request.headers.delete("content-type");
  else request.headers.set("content-type", type);
  try {
    return (await readJson(request, Shape, limit)).name;
  } catch (error) {
    if (error instanceof Fault) return `${error.status} ${error.code}`;
    throw error;
  }
}

describe("readJson()", () => {
  it("returns the value when it has the shape", async () => {
    assert.equal(await outcome('{"name":"a"}', "application/json"), "a");
    assert.equal(await outcome('{"name":"a"}', "Application/JSON; charset=utf-8"), "a");
    assert.equal(await outcome('\ufeff{"name":"a"}', "application/json"), "a");
  });

  it("refuses with 415 when the content type is missing or another", async () => {
    assert.equal(await outcome("{}", null), "415 missing_json_content_type");
    assert.equal(await outcome("{}", "text/plain"), "415 missing_json_content_type");
  });

  it("refuses with 400 when the syntax is wrong", async () => {
    for (const bad of ["", "{", "[1,", "nul", "{'a':1}", "[".repeat(100_000)]) {
      assert.equal(await outcome(bad, "application/json"), "400 invalid_json", bad.slice(0, 9));
    }
    assert.equal(
      await outcome(new Uint8Array([0x22, 0xff, 0x22]), "application/json"),
      "400 invalid_json",
    );
  });

  it("refuses with 422 when the shape is wrong", async () => {
    for (const bad of ["null", "[]", "{}", '{"name":1}', '{"name":"a","more":1}']) {
      assert.equal(await outcome(bad, "application/json"), "422 invalid_json", bad);
    }
  });

  it("refuses with 422 and what to do when a number is out of range", async () => {
    const request = (body: string) =>
      new Request("http://x/", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
    await assert.rejects(readJson(request('{"a":{"b":[1,1e999]}}'), z.unknown()), (error) => {
      assert.ok(error instanceof Fault);
      assert.deepEqual([error.status, error.code], [422, "invalid_json"]);
      assert.match(`${error.message}. ${error.hint}`, /out of range.*as strings/);
      return true;
    });
    const sound = '{"a":["1e999", 1e308]}';
    assert.deepEqual(await readJson(request(sound), z.unknown()), JSON.parse(sound));
  });

  it("refuses with 413 when the body is over the limit", async () => {
    const body = JSON.stringify({ name: "x".repeat(100) });
    assert.equal(await outcome(body, "application/json", 50), "413 request_body_rejected");
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1000)),
    });
    const request = new Request("http://x/", {
      method: "POST",
      body: stream,
      headers: { "content-type": "application/json" },
      // @ts-ignore: not in every runtime's types, needed by Node
      duplex: "half",
    });
    await assert.rejects(readJson(request, Shape, 5000), { code: "request_body_rejected" });
  });
});
