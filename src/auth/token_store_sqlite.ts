/**
 * Server tokens in SQLite.
 *
 * @module
 */

import type { Database, SqlRow, Transaction } from "../store/types.ts";
import { isScope } from "./scopes.ts";
import type { ServerToken, TokenStore } from "./store.ts";

/** Makes a {@linkcode TokenStore} over the home's database. */
export function createSqliteTokenStore(database: Database): TokenStore {
  return {
    create: (token, digest, most) =>
      database.write((transaction) => {
        if (transaction.get("SELECT 1 FROM server_tokens WHERE name = ?", token.name)) {
          return "exists";
        }
        const { count } = transaction.get("SELECT count(*) AS count FROM server_tokens") ?? {};
        if (Number(count) >= most) return "full";
        transaction.run(
          `INSERT INTO server_tokens (id, name, digest, scope, created_at, expires_at)
           VALUES (?, ?, ?, ?, ?, ?)`,
          token.id,
          token.name,
          digest,
          token.scope,
          token.createdAt,
          token.expiresAt,
        );
        return "created";
      }),
    find(digest) {
      const row = database.read((sql) =>
        sql.get("SELECT * FROM server_tokens WHERE digest = ?", digest)
      );
      return row && tokenOf(row);
    },
    get(id) {
      const row = database.read((sql) => sql.get("SELECT * FROM server_tokens WHERE id = ?", id));
      return row && tokenOf(row);
    },
    list: () =>
      database.read((sql) => sql.all("SELECT * FROM server_tokens ORDER BY name")).map(tokenOf),
    async touch(id, now) {
      await database.write((transaction) =>
        transaction.run(
          `UPDATE server_tokens SET last_used_at = ?1, created_at = min(created_at, ?1),
             expires_at = expires_at - max(created_at - ?1, 0) WHERE id = ?2`,
          now,
          id,
        )
      );
    },
    async end(id, at) {
      await database.write((transaction) =>
        transaction.run(
          "UPDATE server_tokens SET ended_at = ? WHERE id = ? AND ended_at IS NULL",
          at,
          id,
        )
      );
    },
    remove: (id, at) =>
      database.write((transaction) => {
        transaction.run("DELETE FROM server_tokens WHERE id = ?", id);
        return endSessions(transaction, id, at);
      }),
    renew: (id, { createdAt, expiresAt }, digest) =>
      database.write((transaction) => {
        transaction.run(
          `UPDATE server_tokens SET digest = ?, created_at = ?, expires_at = ?, ended_at = NULL,
             last_used_at = NULL WHERE id = ?`,
          digest,
          createdAt,
          expiresAt,
          id,
        );
        return endSessions(transaction, id, createdAt);
      }),
  };
}

/** Ends what a token has made; gives the ids. */
function endSessions(transaction: Transaction, tokenId: string, at: number): readonly string[] {
  const maker = `token:${tokenId}`;
  const ids = transaction.all(
    "SELECT id FROM sessions WHERE made_by = ? AND revoked_at IS NULL",
    maker,
  ).map((row) => String(row["id"]));
  transaction.run(
    "UPDATE sessions SET revoked_at = ? WHERE made_by = ? AND revoked_at IS NULL",
    at,
    maker,
  );
  return ids;
}

function tokenOf(row: SqlRow): ServerToken {
  const scope = String(row["scope"]);
  const time = (name: string) => row[name] === null ? null : Number(row[name]);
  return {
    id: String(row["id"]),
    name: String(row["name"]),
    scope: isScope(scope) ? scope : "read",
    createdAt: Number(row["created_at"]),
    lastUsedAt: time("last_used_at"),
    expiresAt: time("expires_at"),
    endedAt: time("ended_at"),
  };
}
