/**
 * Sessions in SQLite.
 *
 * @module
 */

import type { Database, SqlRow } from "../store/types.ts";
import { isScope } from "./scopes.ts";
import type { Session, SessionStore } from "./store.ts";

/** Makes a {@linkcode SessionStore} over the home's database. */
export function createSqliteSessionStore(database: Database): SessionStore {
  return {
    async create(session, digest, most) {
      await database.write((transaction) => {
        transaction.run(
          `INSERT INTO sessions (id, digest, created_at, last_seen_at, expires_at, scopes, made_by,
             method, user_agent)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          session.id,
          digest,
          session.createdAt,
          session.lastSeenAt,
          session.expiresAt,
          session.scope,
          session.madeBy,
          session.method,
          session.userAgent,
        );
        transaction.run(
          `DELETE FROM sessions WHERE id IN (
             SELECT id FROM sessions ORDER BY revoked_at IS NOT NULL, last_seen_at DESC
             LIMIT -1 OFFSET ?)`,
          most,
        );
      });
    },
    find(digest) {
      const row = database.read((sql) =>
        sql.get("SELECT * FROM sessions WHERE digest = ? AND revoked_at IS NULL", digest)
      );
      return row && sessionOf(row);
    },
    get(id) {
      const row = database.read((sql) =>
        sql.get("SELECT * FROM sessions WHERE id = ? AND revoked_at IS NULL", id)
      );
      return row && sessionOf(row);
    },
    list: () =>
      database.read((sql) =>
        sql.all("SELECT * FROM sessions WHERE revoked_at IS NULL ORDER BY last_seen_at DESC, id")
      ).map(sessionOf),
    async touch(id, now) {
      await database.write((transaction) =>
        transaction.run(
          `UPDATE sessions SET last_seen_at = ?1, created_at = min(created_at, ?1),
             expires_at = expires_at - max(created_at - ?1, 0) WHERE id = ?2`,
          now,
          id,
        )
      );
    },
    end: (ids, at) =>
      database.write((transaction) =>
        ids.reduce((ended, id) => {
          const { changes } = transaction.run(
            "UPDATE sessions SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
            at,
            id,
          );
          return ended + changes;
        }, 0)
      ),
    async prune(lastSeenBefore) {
      await database.write((transaction) =>
        transaction.run("DELETE FROM sessions WHERE last_seen_at < ?", lastSeenBefore)
      );
    },
  };
}

function sessionOf(row: SqlRow): Session {
  const scope = String(row["scopes"]);
  return {
    id: String(row["id"]),
    createdAt: Number(row["created_at"]),
    lastSeenAt: Number(row["last_seen_at"]),
    expiresAt: row["expires_at"] === null ? null : Number(row["expires_at"]),
    scope: isScope(scope) ? scope : "read",
    madeBy: String(row["made_by"]),
    method: row["method"] === "pairing" ? "pairing" : "token",
    userAgent: row["user_agent"] === null ? null : String(row["user_agent"]),
  };
}
