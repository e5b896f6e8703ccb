/** What the home page asks the server for; wire shapes have snake_case names. */

import { get, type Json, list, send, text } from "./api_calls.ts";
import { excerptOf } from "./words.ts";

/** An agent, as listed by `GET /api/agents`. */
export interface AgentInfo {
  readonly id: string;
  readonly problem: string | null;
  readonly hasRunner: boolean;
  /** Requests that wait, and those that are being carried out. */
  readonly queued: number;
  readonly processing: number;
}

/** An app of an agent; `problem` says what is wrong with a broken one. */
export interface AppInfo {
  readonly id: string;
  readonly name: string;
  readonly version: string | null;
  readonly description: string | null;
  readonly url: string | null;
  readonly problem: string | null;
}

/** States of a request (`design.md` decision 12). */
export type RequestStatus = "cancelled" | "failed" | "processing" | "queued" | "succeeded";

/** A message to an agent. */
export interface RequestInfo {
  readonly id: string;
  readonly agentId: string;
  readonly origin: string;
  readonly status: RequestStatus;
  readonly type: string | null;
  readonly requestId: string | null;
  /** What was asked, as JSON; cut when long, `null` when it is null. */
  readonly payload: string | null;
  readonly attempts: number;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly result: RequestResult | null;
}

/** What came of a message. */
export interface RequestResult {
  readonly exitCode: number | null;
  readonly error: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Whether this browser is signed in, and whether it can sign out. */
export type Session = "local" | "session" | "signed_out";

/** Who this browser is to the server. */
export interface Me {
  readonly session: Session;
  /** Whether it may do all, such as sign out others. */
  readonly isOwner: boolean;
}

/** All agents. */
export async function fetchAgents(): Promise<readonly AgentInfo[]> {
  const body = await get("/api/agents");
  return list(body["agents"]).map((agent) => {
    const queue = (agent["queue"] ?? {}) as Json;
    return {
      id: String(agent["id"]),
      problem: text(agent["problem"]),
      hasRunner: (agent["runner"] ?? null) !== null,
      queued: Number(queue["queued"] ?? 0),
      processing: Number(queue["processing"] ?? 0),
    };
  });
}

/** The apps of an agent, broken ones with what is wrong. */
export async function fetchApps(agentId: string): Promise<readonly AppInfo[]> {
  const body = await get(`/api/agents/${encodeURIComponent(agentId)}/apps`);
  return list(body["apps"]).map((app) => ({
    id: String(app["id"]),
    name: text(app["name"]) ?? String(app["id"]),
    version: text(app["version"]),
    description: text(app["description"]),
    url: text(app["url"]),
    problem: text(app["problem"]),
  }));
}

/** The newest messages of an agent, newest first. */
export async function fetchRequests(
  agentId: string,
  limit: number,
): Promise<readonly RequestInfo[]> {
  const body = await get(`/api/agents/${encodeURIComponent(agentId)}/messages?limit=${limit}`);
  return list(body["messages"]).map((message) => readRequest(agentId, message));
}

/** Whether a token is needed here, and whether a session has been made of it. */
export async function fetchMe(): Promise<Me> {
  const me = await get("/api/auth/session/me");
  const scopes = me["scopes"];
  return {
    session: me["auth_method"] === "session" ? "session" : "local",
    isOwner: Array.isArray(scopes) && scopes.includes("control"),
  };
}

/** Ends the session. */
export async function signOut(): Promise<void> {
  await send("/api/auth/session/logout", { method: "POST" });
}

function readRequest(agentId: string, message: Json): RequestInfo {
  const result = message["result"] as Json | null | undefined;
  return {
    id: String(message["id"]),
    agentId,
    origin: text(message["origin"]) ?? "operator",
    status: message["status"] as RequestStatus,
    type: text(message["request_type"]),
    requestId: text(message["request_id"]),
    payload: excerptOf(message["payload"]),
    attempts: Number(message["attempts"] ?? 0),
    createdAt: String(message["created_at"]),
    startedAt: text(message["started_at"]),
    finishedAt: text(message["finished_at"]),
    result: result === null || result === undefined ? null : {
      exitCode: typeof result["exit_code"] === "number" ? result["exit_code"] : null,
      error: text(result["error"]),
      stdout: text(result["stdout"]) ?? "",
      stderr: text(result["stderr"]) ?? "",
    },
  };
}
