import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, it } from "node:test";
import { readWrk } from "../../bench/client/clients.ts";
import { fetchAndDiscard } from "../../bench/client/portable_client.ts";

const REPORT = `Running 2s test @ http://127.0.0.1:8080/small.bin
  1 threads and 16 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   120.00us   80.00us   4.07ms   90.00%
    Req/Sec    27.60k     1.00k   29.00k    70.00%
  Latency Distribution
     50%   98.00us
     75%  120.00us
     90%  200.00us
     99%  812.00us
  55202 requests in 2.00s, 230.00MB read
  Socket errors: connect 0, read 1, write 0, timeout 2
  Non-2xx or 3xx responses: 7
Requests/sec:  27601.00
Transfer/sec:    115.00MB
`;

describe("readWrk()", () => {
  it("reads rates, the percentile in ms and all failures", () => {
    const sample = readWrk(REPORT, 4096);
    assert.equal(sample.requestsPerSecond, 27601);
    assert.equal(sample.bytesPerSecond, 27601 * 4096);
    assert.ok(Math.abs((sample.p99 ?? 0) - 0.812) < 1e-9);
    assert.equal(sample.failures, 10);
  });

  it("reads percentiles in ms and s, and none where no answer came", () => {
    assert.equal(readWrk(REPORT.replace("812.00us", "4.07ms"), 1).p99, 4.07);
    assert.equal(readWrk(REPORT.replace("812.00us", "1.50s"), 1).p99, 1500);
    assert.equal(readWrk("Requests/sec:      0.00\n", 1).p99, undefined);
  });
});

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
    const result = await fetchAndDiscard({ url, bytes: 1000, connections: 2, seconds: 0.2 });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    assert.equal(result.complete + result.refused, asked);
    assert.ok(result.complete >= result.refused && result.refused >= 1);
    assert.equal(result.bytes, result.complete * 1000);
    assert.equal(result.broken, 0);
    assert.ok(result.p99 >= result.p50 && result.p50 > 0);
  });
});
