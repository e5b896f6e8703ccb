/**
 * The schema of `holon.db`, as numbered steps: a database at `user_version` n has had the first n.
 *
 * @module
 */

import { HomeError } from "./home_error.ts";
import type { Connection } from "./sqlite_connection.ts";

/** One step; a step that was released is never changed. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

const SESSIONS = `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    expires_at INTEGER,
    scopes TEXT NOT NULL,
    label TEXT,
    revoked_at INTEGER
  ) STRICT, WITHOUT ROWID;
`;

/** `newest` outlives the events: a number is never used again, even when all were pruned. */
const EVENTS = `
  CREATE TABLE event_topics (
    topic TEXT PRIMARY KEY,
    newest INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE events (
    topic TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    type TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    message_id TEXT,
    request_id TEXT,
    origin TEXT,
    PRIMARY KEY (topic, sequence)
  ) STRICT, WITHOUT ROWID;
`;

/** Large columns come last, so that scans don't read through them. */
const MESSAGES = `
  CREATE TABLE messages (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    agent_id TEXT NOT NULL,
    origin TEXT NOT NULL,
    status TEXT NOT NULL
      CHECK (status IN ('queued', 'processing', 'succeeded', 'failed', 'cancelled')),
    request_type TEXT,
    request_id TEXT NOT NULL,
    size INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    max_attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    finished_at INTEGER,
    holder TEXT CHECK (holder IN ('runner', 'worker')),
    worker TEXT,
    lease_id TEXT,
    lease_ms INTEGER,
    lease_expires_at INTEGER,
    process_pid INTEGER,
    process_start TEXT,
    payload TEXT NOT NULL,
    result TEXT
  ) STRICT;

  CREATE INDEX messages_by_agent ON messages (agent_id, position);
  CREATE INDEX messages_waiting ON messages (agent_id, origin, position)
    WHERE status = 'queued';
  CREATE INDEX messages_processing ON messages (agent_id, position)
    WHERE status = 'processing';
  CREATE INDEX messages_finished ON messages (agent_id, finished_at)
    WHERE finished_at IS NOT NULL;

  CREATE TABLE message_counts (
    agent_id TEXT NOT NULL,
    origin TEXT NOT NULL,
    status TEXT NOT NULL,
    messages INTEGER NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (agent_id, status, origin)
  ) STRICT, WITHOUT ROWID;

  CREATE TRIGGER message_counted AFTER INSERT ON messages BEGIN
    INSERT INTO message_counts VALUES (new.agent_id, new.origin, new.status, 1, new.size)
      ON CONFLICT DO UPDATE SET messages = messages + 1, size = size + excluded.size;
  END;

  CREATE TRIGGER message_recounted AFTER UPDATE OF status ON messages
    WHEN old.status <> new.status BEGIN
    UPDATE message_counts SET messages = messages - 1, size = size - old.size
      WHERE agent_id = old.agent_id AND origin = old.origin AND status = old.status;
    INSERT INTO message_counts VALUES (new.agent_id, new.origin, new.status, 1, new.size)
      ON CONFLICT DO UPDATE SET messages = messages + 1, size = size + excluded.size;
  END;

  CREATE TRIGGER message_uncounted AFTER DELETE ON messages BEGIN
    UPDATE message_counts SET messages = messages - 1, size = size - old.size
      WHERE agent_id = old.agent_id AND origin = old.origin AND status = old.status;
  END;

  CREATE TABLE idempotency_keys (
    agent_id TEXT NOT NULL,
    origin TEXT NOT NULL,
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    message_id TEXT NOT NULL,
    request_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (agent_id, origin, key)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
`;

/** The distributed trace that a message belongs to (W3C Trace Context). */
const MESSAGE_TRACES = `
  ALTER TABLE messages ADD COLUMN traceparent TEXT;
  ALTER TABLE messages ADD COLUMN tracestate TEXT;
`;

/** Names that apps have as hosts. They are kept: browsers keep what an app stored under its name. */
const APP_ORIGINS = `
  CREATE TABLE app_origins (
    label TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    app_id TEXT NOT NULL,
    UNIQUE (agent_id, app_id)
  ) STRICT, WITHOUT ROWID;
`;

/** Who made a session, and what for. Those of before don't say: their owners sign in once more. */
const SERVER_TOKENS = `
  ALTER TABLE sessions ADD COLUMN made_by TEXT NOT NULL DEFAULT '';
  ALTER TABLE sessions ADD COLUMN method TEXT NOT NULL DEFAULT 'token';
  ALTER TABLE sessions ADD COLUMN user_agent TEXT;
  DELETE FROM sessions;
  CREATE INDEX sessions_by_maker ON sessions (made_by);

  CREATE TABLE server_tokens (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    digest TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL CHECK (scope IN ('read', 'app', 'control')),
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    expires_at INTEGER,
    ended_at INTEGER
  ) STRICT, WITHOUT ROWID;
`;

/** All steps, oldest first. */
export const MIGRATIONS: readonly Migration[] = [
  { name: "sessions", sql: SESSIONS },
  { name: "events", sql: EVENTS },
  { name: "messages", sql: MESSAGES },
  { name: "message_traces", sql: MESSAGE_TRACES },
  { name: "app_origins", sql: APP_ORIGINS },
  { name: "server_tokens", sql: SERVER_TOKENS },
];

/**
 * Brings a database up to date, one transaction a step.
 *
 * @throws {HomeError} `database_too_new`
 */
export function migrate(
  connection: Connection,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  const version = Number(connection.get("PRAGMA user_version")?.["user_version"]);
  if (version > migrations.length) {
    throw new HomeError(
      "database_too_new",
      `holon.db was written by a newer Holon (schema ${version}; this one knows up to ` +
        `${migrations.length}): start that version, or another home with --home`,
    );
  }
  for (let step = version; step < migrations.length; step++) {
    connection.exec("BEGIN IMMEDIATE");
    try {
      connection.exec(migrations[step]?.sql ?? "");
      connection.exec(`PRAGMA user_version = ${step + 1}`);
      connection.exec("COMMIT");
    } catch (error) {
      if (connection.inTransaction) connection.exec("ROLLBACK");
      throw error;
    }
  }
}
