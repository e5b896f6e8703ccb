/** What the home page asks the server for about signed-in devices. */

import { get, type Json, list, send, text } from "./api_calls.ts";

/** What a credential is good for. */
export type Scope = "app" | "control" | "read";

/** A session of a browser, as listed by `GET /api/auth/sessions`. */
export interface DeviceInfo {
  readonly id: string;
  /** Whether it is this browser's. */
  readonly current: boolean;
  /** Such as "Firefox on Linux". */
  readonly client: string;
  readonly userAgent: string | null;
  readonly scope: Scope;
  readonly method: "pairing" | "token";
  /** The name of the server token that it was made with, if that has one. */
  readonly token: string | null;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string | null;
}

/** All sessions, the one that was used last first. */
export async function fetchDevices(): Promise<readonly DeviceInfo[]> {
  const body = await get("/api/auth/sessions");
  return list(body["sessions"]).map(readDevice);
}

/** Ends a session. */
export async function signOutDevice(id: string): Promise<void> {
  await send(`/api/auth/sessions/${encodeURIComponent(id)}`, { method: "DELETE" });
}

/** Ends all sessions but this browser's. */
export async function signOutOthers(): Promise<void> {
  await send("/api/auth/sessions", { method: "DELETE" });
}

function readDevice(session: Json): DeviceInfo {
  return {
    id: String(session["id"]),
    current: session["current"] === true,
    client: text(session["client"]) ?? "Unknown program",
    userAgent: text(session["user_agent"]),
    scope: session["scope"] as Scope,
    method: session["method"] === "pairing" ? "pairing" : "token",
    token: text(session["token"]),
    createdAt: String(session["created_at"]),
    lastSeenAt: String(session["last_seen_at"]),
    expiresAt: text(session["expires_at"]),
  };
}
