import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EventSource } from "eventsource";
import { PROGRAMS } from "../support/served_holon.ts";
import { until } from "../support/until.ts";
import { serveApp } from "./served_app.ts";

interface AppEvent {
  readonly event: { readonly type: string; readonly message_id: string };
}

describe("eventsource from npm", () => {
  for (const [runtime, program] of Object.entries(PROGRAMS)) {
    it(`hears of the app's requests, then of those it missed, from ${runtime}`, async () => {
      const app = await serveApp(program);
      const sources: EventSource[] = [];
      const listen = (options: { readonly lastEventId?: string } = {}) => {
        const { lastEventId } = options;
        const heard: { readonly id: string; readonly data: AppEvent }[] = [];
        const source = new EventSource(`${app.root}events`, {
          fetch: (input, init) => {
            const headers = new Headers(init?.headers);
            if (lastEventId !== undefined) headers.set("last-event-id", lastEventId);
            return fetch(input, { ...init, headers });
          },
        });
        source.addEventListener("holon_event", (event) => {
          heard.push({ id: event.lastEventId, data: JSON.parse(event.data) as AppEvent });
        });
        sources.push(source);
        return { source, heard };
      };
      const ask = async () => {
        const response = await fetch(`${app.root}request`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ version: "1", request_type: "ping", payload: null }),
        });
        assert.equal(response.ok, true);
        return (await response.json() as { readonly message_id: string }).message_id;
      };
      try {
        const live = listen();
        await until(() => live.source.readyState === EventSource.OPEN);
        const first = await ask();
        await until(() => live.heard.some(({ data }) => data.event.message_id === first));
        live.source.close();
        const last = live.heard.at(-1)?.id;
        assert.match(last ?? "", /^\d+$/);

        const missed = await ask();
        const resumed = listen({ lastEventId: `${last}` });
        await until(() => resumed.heard.length > 0);
        assert.deepEqual(resumed.heard.map(({ data }) => data.event), [
          { ...resumed.heard[0]?.data.event, type: "message_enqueued", message_id: missed },
        ]);
      } finally {
        for (const source of sources) source.close();
        await app.stop();
      }
    });
  }
});
