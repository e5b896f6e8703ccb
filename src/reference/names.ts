/**
 * What parameters and headers mean, by their names.
 *
 * @module
 */

import type { Header, JsonSchema, Tag } from "./types.ts";

/** What a name stands for. */
export interface Meaning {
  readonly description: string;
  readonly schema: JsonSchema;
}

const text: JsonSchema = { type: "string" };
const segment: JsonSchema = {
  type: "string",
  pattern: "^(?!\\.)[A-Za-z0-9._-]{1,128}$",
};

/** Parameters of paths. */
export const PATH_PARAMETERS: Readonly<Record<string, Meaning>> = {
  agent: { description: "The agent's id: the name of its folder.", schema: segment },
  app: { description: "The app's id: the name of its folder.", schema: segment },
  asset: { description: "The file's name.", schema: text },
  message: { description: "The message's id, such as `msg_…`.", schema: text },
  pairing: { description: "The link's id, as making it told.", schema: text },
  path: {
    description: "The file's path in the app's folder; it may have slashes in it.",
    schema: text,
  },
  session: { description: "The session's id, as the list of sessions has it.", schema: text },
  token: { description: "The token's name.", schema: text },
};

/** Headers of requests. */
export const REQUEST_HEADERS: Readonly<Record<string, Meaning>> = {
  "Accept-Encoding": { description: "Codings in which a file may be sent.", schema: text },
  "Idempotency-Key": {
    description: "Makes it safe to send the request again: for 24 h the first answer is repeated.",
    schema: { type: "string", pattern: "^[\\x20-\\x7e]{1,255}$" },
  },
  "If-Match": { description: "Only if the file still has this tag (else 412).", schema: text },
  "If-Modified-Since": { description: "Only if the file has changed (else 304).", schema: text },
  "If-None-Match": { description: "Only if the file has another tag (else 304).", schema: text },
  "If-Range": { description: "The range only of this version, else the whole.", schema: text },
  "If-Unmodified-Since": {
    description: "Only if the file has not changed (else 412).",
    schema: text,
  },
  "Last-Event-ID": {
    description: "The last event that was seen: up to 256 events after it come first.",
    schema: { type: "string", pattern: "^[0-9]+$" },
  },
  "Range": { description: "A single range of bytes, such as `bytes=0-1023`.", schema: text },
  "X-Holon-Reload": {
    description: "Changes of the app's files: `too`, or `only` those (live reload).",
    schema: { enum: ["only", "too"] },
  },
  "traceparent": {
    description: "The trace that the request belongs to (W3C Trace Context).",
    schema: {
      type: "string",
      examples: ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
    },
  },
  "tracestate": { description: "What tracing systems add to it.", schema: text },
};

/** Headers of answers. */
export const RESPONSE_HEADERS: Readonly<Record<string, Header>> = {
  "Accept-Ranges": { description: "`bytes`: ranges may be asked for.", schema: text },
  "Content-Encoding": { description: "The coding that the file is sent in.", schema: text },
  "Content-Range": { description: "Which bytes of how many these are.", schema: text },
  "ETag": { description: "The tag of this version.", schema: text },
  "Idempotency-Replayed": {
    description: "`true` where the answer is that of an earlier request with the same key.",
    schema: { const: "true" },
  },
  "Last-Modified": { description: "When the file was last changed.", schema: text },
  "Location": { description: "Where to go instead.", schema: text },
  "Retry-After": {
    description: "Seconds after which it may be worth another try.",
    schema: { type: "string", pattern: "^[0-9]+$" },
  },
  "Set-Cookie": { description: "The session, or its end.", schema: text },
  "Vary": { description: "The request headers that the answer depends on.", schema: text },
  "WWW-Authenticate": { description: "How to be let in.", schema: text },
  "X-Holon-App-Sdk-Version": {
    description: "The version of the SDK's protocol.",
    schema: { const: "1" },
  },
  "X-Holon-Newest-Event-Id": {
    description: "The agent's newest event when the stream began.",
    schema: { type: "string", pattern: "^[0-9]+$" },
  },
  "X-Request-Id": { description: "The request's id in the log.", schema: text },
};

/** Groups of operations, each with the beginnings of its paths; the first that fits is taken. */
export const GROUPS: readonly (Tag & { readonly prefixes: readonly string[] })[] = [
  {
    name: "Apps",
    description: "Apps and what their pages call.",
    prefixes: ["/apps/", "/api/reload"],
  },
  {
    name: "Agents and messages",
    description: "Agents, their apps, and their queues of messages.",
    prefixes: ["/api/agents", "/api/events"],
  },
  {
    name: "Signing in",
    description: "Tokens and sessions.",
    prefixes: ["/api/auth"],
  },
  {
    name: "Server",
    description: "Settings, figures, and the server's own life.",
    prefixes: ["/api/", "/handshake"],
  },
  {
    name: "Pages",
    description: "Holon's own pages.",
    prefixes: ["/"],
  },
];
