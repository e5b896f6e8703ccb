import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { Fault } from "../../src/fault.ts";
import type { RequestContext, Route } from "../../src/http/route.ts";
import { type EventFrame, eventStreamResponse } from "../../src/http/sse.ts";
import { createStreamBound } from "../../src/http/stream_bound.ts";
import { parseTarget } from "../../src/http/target.ts";
import { LOCAL_CLIENT } from "../support/local_client.ts";

/** Who asks, where it differs from a browser on this machine. */
interface Asker {
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
  readonly host?: string;
  readonly session?: string;
}

const BROWSER = { "sec-fetch-mode": "cors", "user-agent": "Browser/1" };

function contextOf({ headers = BROWSER, address, host, session }: Asker = {}): RequestContext {
  return {
    request: new Request("http://holon/", { headers }),
    info: null,
    client: {
      ...LOCAL_CLIENT,
      address: address ?? "127.0.0.1",
      host: { name: host ?? "localhost", port: 7878 },
    },
    target: parseTarget("/"),
    principal: { kind: "local", scopes: new Set(), sessionId: session ?? null },
    params: {},
    requestId: "r1",
  };
}

const silent = (signal: AbortSignal): AsyncIterable<EventFrame> => ({
  // deno-lint-ignore require-yield
  async *[Symbol.asyncIterator]() {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  },
});

/** Streams under way: their heartbeats would keep the process. */
const streams: Response[] = [];
afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.body?.cancel();
});

/** Routes with a bound of two: a stream, one that is refused, and one that is no stream. */
function bounded(): readonly [Route["handler"], Route["handler"], Route["handler"]] {
  const route = (handler: Route["handler"], produces?: string): Route => ({
    method: "GET",
    path: "/",
    scope: "read",
    summary: "s",
    handler,
    ...(produces === undefined ? {} : { produces }),
  });
  const bound = createStreamBound(2);
  const [stream, refused] = bound([
    route(() => {
      const response = eventStreamResponse(silent);
      streams.push(response);
      return response;
    }, "text/event-stream"),
    route(() => {
      throw new Fault("not_found", "No such app");
    }, "text/event-stream"),
  ]);
  const [page] = bound([route(() => new Response("page"))]);
  return [stream!.handler, refused!.handler, page!.handler];
}

const tooMany = { code: "too_many_streams" };

describe("createStreamBound()", () => {
  it("refuses a browser's streams beyond the bound, until one of them is over", async () => {
    const [stream, , page] = bounded();
    const first = await stream(contextOf());
    const second = await stream(contextOf());
    await assert.rejects(async () => await stream(contextOf()), tooMany);
    assert.equal(await (await page(contextOf())).text(), "page");
    await first.body?.cancel();
    const third = await stream(contextOf());
    await assert.rejects(async () => await stream(contextOf()), tooMany);
    await second.body?.cancel();
    await third.body?.cancel();
  });

  it("counts nothing for a stream that is refused, and an aborted one once", async () => {
    const [stream, refused] = bounded();
    for (let tries = 0; tries < 5; tries++) {
      await assert.rejects(async () => await refused(contextOf()), { code: "not_found" });
    }
    const first = await stream(contextOf());
    await first.body?.cancel();
    await first.body?.cancel();
    await stream(contextOf());
    await stream(contextOf());
    await assert.rejects(async () => await stream(contextOf()), tooMany);
  });

  it("counts browsers apart: by session, else by address and name, and by host", async () => {
    const [stream] = bounded();
    const others: Asker[] = [
      {},
      { headers: { ...BROWSER, "user-agent": "Browser/2" } },
      { address: "127.0.0.2" },
      { host: "app-1234.localhost" },
      { session: "s1" },
      { session: "s2" },
    ];
    for (const asker of others) {
      for (let count = 0; count < 2; count++) await stream(contextOf(asker));
      await assert.rejects(async () => await stream(contextOf(asker)), tooMany);
    }
    // A session is one browser, wherever that is.
    await assert.rejects(
      async () => await stream(contextOf({ session: "s1", address: "127.0.0.3" })),
      tooMany,
    );
  });

  it("leaves programs alone that are no browsers", async () => {
    const [stream] = bounded();
    const headers = { "user-agent": "curl" };
    for (let count = 0; count < 20; count++) await stream(contextOf({ headers }));
  });
});
