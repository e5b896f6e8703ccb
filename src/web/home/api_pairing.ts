/** What the home page asks the server for about pairing. */

import { get, type Json, send, text } from "./api_calls.ts";
import type { Scope } from "./api_devices.ts";

/** Where another device would come. */
export interface PairingPlace {
  readonly base: string;
  readonly reachable: boolean;
  /** What a person should know first, as sentences. */
  readonly notes: readonly string[];
}

/** A link that pairs a device. */
export interface PairingLink {
  readonly id: string;
  readonly url: string;
  readonly secondsLeft: number;
}

/** How a link stands; `client` is who has used it. */
export interface PairingState {
  readonly state: "expired" | "used" | "waiting";
  readonly client: string | null;
  readonly secondsLeft: number;
}

/** Asks where another device would come. */
export async function fetchPairingPlace(): Promise<PairingPlace> {
  const body = await get("/api/auth/pairing");
  const notes = body["notes"];
  return {
    base: String(body["base"]),
    reachable: body["reachable"] === true,
    notes: Array.isArray(notes) ? notes.map(String) : [],
  };
}

/** Makes a link. */
export async function makePairingLink(scope: Scope): Promise<PairingLink> {
  const response = await send("/api/auth/pairing/issue", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ scope }),
  });
  const body = await response.json() as Json;
  return {
    id: String(body["id"]),
    url: String(body["url"]),
    secondsLeft: Number(body["expires_in_s"]),
  };
}

/** Asks how a link stands. */
export async function fetchPairingState(id: string): Promise<PairingState> {
  const body = await get(`/api/auth/pairing/${encodeURIComponent(id)}`);
  return {
    state: body["state"] as PairingState["state"],
    client: text(body["client"]),
    secondsLeft: Number(body["expires_in_s"]),
  };
}

/** Makes a link worthless; that it fails is no matter, since the link ends by itself. */
export async function cancelPairingLink(id: string): Promise<void> {
  const path = `/api/auth/pairing/${encodeURIComponent(id)}`;
  await send(path, { method: "DELETE" }).catch(() => {});
}
