import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, it } from "node:test";
import { fetchAndDiscard } from "../../bench/client/portable_client.ts";

describe("fetchAndDiscard()", () => {
  it("counts bodies of complete answers and refusals apart", async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked++;
      response.statusCode = asked % 2 === 0 ? 503 : 200;
      response.end("x".repeat(1000));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { readonly port: number };
    const url = new URL(`http://127.0.0.1:${port}/`);
    const result = await fetchAndDiscard({ url, connections: 2, seconds: 0.2 });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    assert.equal(result.complete + result.refused, asked);
    assert.ok(result.complete >= result.refused && result.refused >= 1);
    assert.equal(result.bytes, result.complete * 1000);
    assert.equal(result.broken, 0);
    assert.ok(result.p99 >= result.p50 && result.p50 > 0);
  });
});
