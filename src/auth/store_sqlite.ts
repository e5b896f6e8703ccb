/**
 * Sessions in SQLite.
 *
 * @module
 */

import type { Database, SqlRow } from "../store/types.ts";
import type { Session, SessionStore } from "./store.ts";

/** Makes a {@linkcode SessionStore} over the home's database. */
export function createSqliteSessionStore(database: Database): SessionStore {
  return {
    async create(session, digest) {
      await database.write((transaction) =>
        transaction.run(
          `INSERT INTO sessions (id, digest, created_at, last_seen_at, expires_at, scopes)
           VALUES (?, ?, ?, ?, ?, ?)`,
          session.id,
          digest,
          session.createdAt,
          session.lastSeenAt,
          session.expiresAt,
          session.scopes.join(" "),
        )
      );
    },
    find(digest) {
      const row = database.read((sql) =>
        sql.get("SELECT * FROM sessions WHERE digest = ? AND revoked_at IS NULL", digest)
      );
      return row === undefined ? undefined : sessionOf(row);
    },
    get(id) {
      const row = database.read((sql) =>
        sql.get("SELECT * FROM sessions WHERE id = ? AND revoked_at IS NULL", id)
      );
      return row === undefined ? undefined : sessionOf(row);
    },
    async touch(id, lastSeenAt) {
      await database.write((transaction) =>
        transaction.run("UPDATE sessions SET last_seen_at = ? WHERE id = ?", lastSeenAt, id)
      );
    },
    async revoke(id, at) {
      await database.write((transaction) =>
        transaction.run("UPDATE sessions SET revoked_at = ? WHERE id = ?", at, id)
      );
    },
    async prune(lastSeenBefore, now) {
      await database.write((transaction) =>
        transaction.run(
          "DELETE FROM sessions WHERE last_seen_at < ? OR expires_at <= ?",
          lastSeenBefore,
          now,
        )
      );
    },
  };
}

function sessionOf(row: SqlRow): Session {
  return {
    id: String(row["id"]),
    createdAt: Number(row["created_at"]),
    lastSeenAt: Number(row["last_seen_at"]),
    expiresAt: row["expires_at"] === null ? null : Number(row["expires_at"]),
    scopes: String(row["scopes"]).split(" "),
  };
}
