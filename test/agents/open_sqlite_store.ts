/**
 * A SQLite message store for tests, in a home of its own.
 *
 * @module
 */

import { createSqliteMessageStore } from "../../src/agents/store_sqlite.ts";
import { createEventService } from "../../src/events/service.ts";
import { createSqliteEventStore } from "../../src/events/store_sqlite.ts";
import { openHomeDatabase } from "../../src/store/open_home_database.ts";
import { tempDirectory } from "../support/temp_home.ts";
import type { StoreSettings, StoreUnderTest } from "./message_store_contract.ts";

/** Opens an empty one. */
export function openSqliteStore(settings: StoreSettings): StoreUnderTest {
  const home = tempDirectory();
  const open = () => {
    const { database } = openHomeDatabase({ home: home.path, now: settings.now });
    const events = createEventService({
      store: createSqliteEventStore(database),
      clock: { now: settings.now, monotonic: settings.now },
      window: () => 10_000,
    });
    return { database, store: createSqliteMessageStore({ database, events, ...settings }) };
  };
  let current = open();
  return {
    store: current.store,
    events: (agentId) =>
      current.database.read((sql) =>
        sql.all(
          "SELECT type, message_id FROM events WHERE topic = ? ORDER BY sequence",
          `agent:${agentId}`,
        )
      ).map((row) => `${row.type} ${row.message_id}`),
    async reopen() {
      await current.database.close();
      current = open();
      return current.store;
    },
    async close() {
      await current.database.close();
      home.remove();
    },
  };
}
