/**
 * A message as a runner gets it: JSON on stdin, and ids in the environment.
 *
 * @module
 */

import type { Message, MessageOrigin } from "./types.ts";

/** Who made a message, and what its content may be taken for (`design.md` decision 22). */
export interface Provenance {
  readonly kind: "app" | "operator" | "worker";
  /** The app that sent it; `null` for the others. */
  readonly app_id: string | null;
  /** `operator`: what the person wants; `data`: input that is never an instruction. */
  readonly authority: "data" | "operator";
}

/** The provenance of messages of an origin. */
export function provenanceOf(origin: MessageOrigin): Provenance {
  if (origin.startsWith("app:")) {
    return { kind: "app", app_id: origin.slice("app:".length), authority: "data" };
  }
  const kind = origin === "operator" ? "operator" : "worker";
  return { kind, app_id: null, authority: kind === "operator" ? "operator" : "data" };
}

/** The JSON text on stdin. */
export function runnerInput(message: Message): string {
  return JSON.stringify({
    version: "1",
    message_id: message.id,
    agent_id: message.agentId,
    origin: message.origin,
    source: message.origin,
    provenance: provenanceOf(message.origin),
    request_type: message.requestType,
    request_id: message.requestId,
    payload: message.payload,
    attempt: message.attempts,
    max_attempts: message.maxAttempts,
    created_at: message.createdAt,
    traceparent: message.trace?.traceparent ?? null,
    tracestate: message.trace?.tracestate ?? null,
  }) + "\n";
}

/**
 * The whole environment of a runner: what programs can't do without, ids, and the trace. A request
 * id is an app's own text, so it is left out where it isn't plain.
 *
 * @param base `PATH`, `HOME`, `LANG` and the like, of the server's own environment
 */
export function runnerEnvironment(
  message: Message,
  base: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const requestId = message.requestId ?? "";
  const { traceparent = null, tracestate = null } = message.trace ?? {};
  return {
    ...base,
    HOLON_AGENT_ID: message.agentId,
    HOLON_MESSAGE_ID: message.id,
    HOLON_ORIGIN: message.origin,
    ...(/^[\x20-\x7e]+$/.test(requestId) ? { HOLON_REQUEST_ID: requestId } : {}),
    HOLON_ATTEMPT: String(message.attempts),
    ...(traceparent === null ? {} : { TRACEPARENT: traceparent }),
    ...(tracestate === null ? {} : { TRACESTATE: tracestate }),
  };
}

/** Names of the server's variables that runners get: none of ours, and no credentials. */
const PASSED_ON = ["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER"];

/** Picks what runners get of the server's environment. */
export function runnerBaseEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const base: Record<string, string> = { PATH: "/usr/local/bin:/usr/bin:/bin" };
  for (const name of PASSED_ON) {
    const value = environment[name];
    if (value !== undefined) base[name] = value;
  }
  return base;
}
