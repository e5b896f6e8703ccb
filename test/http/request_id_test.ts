import assert from "node:assert/strict";
import { test } from "node:test";
import { createRequestIds } from "../../src/http/request_id.ts";

test("createRequestIds() gives each request an id of its own, in each run", () => {
  const sources = [createRequestIds(), createRequestIds()];
  const ids = sources.flatMap((next) => Array.from({ length: 1000 }, next));
  assert.equal(new Set(ids).size, 2000);
  for (const id of ids) assert.match(id, /^[0-9a-z]{14}-[0-9a-z]{1,11}$/);
});
