/**
 * What a route may answer with: its results, and its refusals by status.
 *
 * @module
 */

import { FAULT_STATUS, type FaultCode } from "../fault.ts";
import type { Route } from "../http/route.ts";
import type { JsonSchemas } from "./json_schemas.ts";
import { RESPONSE_HEADERS } from "./names.ts";
import type { ApiResponse, Content, Header, Reference } from "./types.ts";

/** The envelope of every refusal (`facts/holon.md` §a.1). */
export const ERROR_SCHEMA: Readonly<Record<string, unknown>> = {
  type: "object",
  description: "A refusal. Switch on `code`; `error` is for people and may be worded anew.",
  properties: {
    ok: { const: false },
    error: { type: "string", description: "What went wrong, as a sentence." },
    code: {
      type: "string",
      enum: Object.keys(FAULT_STATUS),
      description: "What went wrong, for programs.",
    },
    hint: { type: "string", description: "What to do about it, as a sentence." },
    context: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "Details for programs.",
    },
  },
  required: ["ok", "error", "code"],
};

/** Collects the refusals of a document: those of one status and the same codes are kept once. */
export interface Refusals {
  /** The refusals of a route, by status. */
  of(route: Route): Readonly<Record<string, Reference>>;
  readonly named: Readonly<Record<string, ApiResponse>>;
}

/** Makes an empty collection. */
export function createRefusals(): Refusals {
  const named: Record<string, ApiResponse> = {};
  return {
    of: (route) =>
      Object.fromEntries(
        [...codesByStatus(route)].map(([status, codes]) => {
          const name = `${status}.${codes.join(".")}`;
          named[name] ??= refusal(status, codes);
          return [String(status), { $ref: `#/components/responses/${name}` }];
        }),
      ),
    named,
  };
}

/** The results of a route, by status. */
export function resultsOf(
  route: Route,
  schemas: JsonSchemas,
): Readonly<Record<string, ApiResponse>> {
  const statuses = route.statuses ?? { 200: "Done." };
  const results = Object.entries(statuses).map(([status, description]) => {
    const content = hasBody(Number(status)) ? contentOf(route, schemas) : undefined;
    const headers = headersOf(["X-Request-Id", ...route.responseHeaders ?? []]);
    return [
      status,
      { description, headers, ...(content === undefined ? {} : { content }) },
    ] as const;
  });
  return Object.fromEntries(results);
}

// --- internal ---

function contentOf({ produces, response }: Route, schemas: JsonSchemas): Content {
  const shape = response === undefined ? {} : schemas.ofOutput(response);
  switch (produces) {
    case undefined:
      return { "application/json": { schema: shape } };
    case "text/event-stream":
      return {
        [produces]: {
          schema: {
            type: "string",
            description: "`holon_event` with JSON data and, where one can go on after it, an id; " +
              "`holon_gap` with `{after, oldest}` where events were left out; a comment every 15 s.",
          },
          "x-event-data": shape,
        },
      };
    default:
      return { [produces]: {} };
  }
}

function hasBody(status: number): boolean {
  return status === 200 || status === 206;
}

/** All codes that a route may refuse with; 405 belongs to no route. */
function codesByStatus(route: Route): ReadonlyMap<number, readonly FaultCode[]> {
  const found = new Map<number, Set<FaultCode>>();
  const add = (code: FaultCode, status: number = FAULT_STATUS[code]) => {
    found.set(status, (found.get(status) ?? new Set()).add(code));
  };
  add("bad_request");
  add("csrf_origin_rejected");
  add("misdirected_host");
  add("runtime_error");
  add("runtime_shutting_down");
  if (route.scope !== "public") {
    add("auth_required");
    add("forbidden");
    add("too_many_attempts");
  }
  if (route.path.includes(":")) {
    add("forbidden");
    add("not_found");
  }
  if (route.body !== undefined) {
    add("invalid_json");
    add("invalid_json", 422);
    add("missing_json_content_type");
    add("request_body_rejected");
    add("request_body_rejected", 400);
    add("request_timeout");
  }
  route.refusals?.forEach((code) => add(code));
  return new Map(
    [...found].sort(([a], [b]) => a - b).map(([status, codes]) => [status, [...codes].sort()]),
  );
}

function refusal(status: number, codes: readonly FaultCode[]): ApiResponse {
  const extra = status === 401
    ? ["WWW-Authenticate"]
    : status === 429 || status === 503
    ? ["Retry-After"]
    : [];
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    headers: headersOf(["X-Request-Id", ...extra]),
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    "x-codes": codes,
  };
}

function headersOf(names: readonly string[]): Readonly<Record<string, Header | Reference>> {
  return Object.fromEntries(names.map((name) => {
    if (!Object.hasOwn(RESPONSE_HEADERS, name)) throw new Error(`${name} means nothing yet`);
    return [name, { $ref: `#/components/headers/${name}` }];
  }));
}
