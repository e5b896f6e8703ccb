/**
 * The handshake: what a client asks first (`facts/holon.md` §f.7).
 *
 * @module
 */

import { z } from "zod";
import type { Reach } from "../config/reach.ts";
import { jsonResponse } from "../http/json.ts";
import type { RequestContext, Route } from "../http/route.ts";
import { VERSION } from "../version.ts";
import { capabilitiesOf } from "./capabilities.ts";

/** The control protocol that this server speaks. */
export const CONTROL_PROTOCOL = { name: "holon-control", version: 1 } as const;

/** What the handshake needs. */
export interface HandshakeDeps {
  /** The home's path. */
  readonly home: string;
  readonly tokenRequired: boolean;
  readonly defaultAgent: () => string;
  /** How the server is reached; `null` when Holon is embedded. */
  readonly reach: () => Reach | null;
}

const HandshakeAnswer = z.object({
  ok: z.literal(true),
  protocol: z.object({ name: z.literal("holon-control"), version: z.literal(1) }),
  version: z.string().describe("The server's own version."),
  auth: z.object({
    mode: z.enum(["bearer", "local"]),
    required: z.boolean().describe("Whether this way in asks for a credential."),
  }),
  capabilities: z.array(z.string()).describe("More may come: ignore unknown ones."),
  runtime: z.object({
    default_agent: z.string(),
    workspace_dir: z.string().nullable().describe(
      "The folder of the default agent; null without the scope control.",
    ),
    home_dir: z.string().nullable().describe("null without the scope control."),
    access: z.enum(["lan", "local", "tailnet", "tunnel"]).nullable(),
    listen: z.string().nullable().describe("The main address, with its port."),
    advertise_url: z.string().nullable().describe("What clients are told to dial."),
    callback_base_url: z.string().nullable().describe("For callbacks from outside."),
  }),
});

/**
 * Adds `/api/handshake`, and `/handshake` as another name of it (`design.md` decision 16). The
 * routes that are there tell what the server can do.
 */
export function withHandshake(routes: readonly Route[], deps: HandshakeDeps): readonly Route[] {
  const capabilities = capabilitiesOf(routes);
  const handler = (context: RequestContext) =>
    jsonResponse({
      ok: true,
      protocol: CONTROL_PROTOCOL,
      version: VERSION,
      auth: authOf(deps, context),
      capabilities,
      runtime: runtimeOf(deps, context),
    });
  const route = { method: "GET", scope: "read", response: HandshakeAnswer, handler } as const;
  return [
    ...routes,
    {
      ...route,
      path: "/api/handshake",
      summary: "Tells a client which protocol the server speaks, and what it can do.",
    },
    { ...route, path: "/handshake", summary: "The same as /api/handshake." },
  ];
}

// --- internal ---

/** Over the socket, and where no token was given, nothing has to be shown. */
function authOf({ tokenRequired }: HandshakeDeps, { principal }: RequestContext) {
  const required = tokenRequired && principal.kind !== "local";
  return { mode: required ? "bearer" : "local", required };
}

/** Directories say something of the machine, so that only its operator is told. */
function runtimeOf(deps: HandshakeDeps, { principal }: RequestContext) {
  const agent = deps.defaultAgent();
  const reach = deps.reach();
  const seesAll = principal.scopes.has("control");
  return {
    default_agent: agent,
    workspace_dir: seesAll ? `${deps.home}/agents/${agent}` : null,
    home_dir: seesAll ? deps.home : null,
    access: reach?.access ?? null,
    listen: reach?.listen[0] ?? null,
    advertise_url: reach?.advertise_url ?? null,
    callback_base_url: reach?.callback_base_url ?? null,
  };
}
