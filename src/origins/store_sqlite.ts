/**
 * Labels of apps in SQLite.
 *
 * @module
 */

import type { Database, Sql } from "../store/types.ts";
import type { OriginStore } from "./store.ts";
import type { AppRef } from "./types.ts";

/** Makes an {@linkcode OriginStore} over the home's database. */
export function createSqliteOriginStore(database: Database): OriginStore {
  return {
    appAt: (label) => database.read((sql) => appAt(sql, label)),
    labelOf: (app) => database.read((sql) => labelOf(sql, app)),
    assign: (app, candidates) =>
      database.write((transaction) => {
        const known = labelOf(transaction, app);
        if (known !== undefined) return known;
        const label = candidates.find((candidate) => appAt(transaction, candidate) === undefined);
        if (label === undefined) return undefined;
        transaction.run(
          "INSERT INTO app_origins (label, agent_id, app_id) VALUES (?, ?, ?)",
          label,
          app.agentId,
          app.appId,
        );
        return label;
      }),
  };
}

function appAt(sql: Sql, label: string): AppRef | undefined {
  const row = sql.get("SELECT agent_id, app_id FROM app_origins WHERE label = ?", label);
  return row && { agentId: String(row["agent_id"]), appId: String(row["app_id"]) };
}

function labelOf(sql: Sql, { agentId, appId }: AppRef): string | undefined {
  const row = sql.get(
    "SELECT label FROM app_origins WHERE agent_id = ? AND app_id = ?",
    agentId,
    appId,
  );
  return row && String(row["label"]);
}
