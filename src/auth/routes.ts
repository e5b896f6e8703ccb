/**
 * Signing in and out (`facts/holon.md` §a.4).
 *
 * @module
 */

import { z } from "zod";
import { Fault } from "../fault.ts";
import { jsonResponse } from "../http/json.ts";
import { readJson } from "../http/json_body.ts";
import type { RequestContext, Route, RouteScope } from "../http/route.ts";
import { sessionCookie } from "./cookie.ts";
import { digestOf, equalDigests } from "./credential.ts";
import type { SessionService } from "./sessions.ts";

/** What the routes need. */
export interface AuthRoutesOptions {
  readonly tokenDigest: string | null;
  readonly sessions: SessionService;
}

const ExchangeBody = z.object({
  credential: z.string().max(4096).describe("The server's token."),
}).meta({ examples: [{ credential: "TOKEN" }] });
const ExchangeAnswer = z.object({
  ok: z.literal(true),
  expires_at: z.string().nullable(),
  user_id: z.string(),
});
const MethodAnswer = z.object({ mode: z.literal("local"), required: z.boolean() });
const MeAnswer = z.object({
  ok: z.literal(true),
  user_id: z.string(),
  display_name: z.string().nullable(),
  auth_method: z.enum(["local_control", "local", "session"]),
});

const SESSION_SCOPES: readonly RouteScope[] = ["read", "app", "control"];

/** The routes under `/api/auth`. */
export function authRoutes(options: AuthRoutesOptions): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/api/auth/method",
      scope: "public",
      summary: "Tells how to sign in, and whether that is needed over TCP.",
      response: MethodAnswer,
      handler: () => jsonResponse({ mode: "local", required: options.tokenDigest !== null }),
    },
    {
      method: "POST",
      path: "/api/auth/session/exchange",
      scope: "public",
      summary: "Turns the server's token into a session cookie.",
      body: ExchangeBody,
      response: ExchangeAnswer,
      responseHeaders: ["Set-Cookie"],
      refusals: ["auth_required", "storage_full", "storage_unavailable"],
      handler: (context) => exchange(context, options),
    },
    {
      method: "GET",
      path: "/api/auth/session/me",
      scope: "read",
      summary: "Tells who the request's credential belongs to.",
      response: MeAnswer,
      handler: ({ principal }) =>
        jsonResponse({
          ok: true,
          user_id: "control",
          display_name: null,
          auth_method: principal.kind === "session"
            ? "session"
            : principal.kind === "token"
            ? "local_control"
            : "local",
        }),
    },
    {
      method: "POST",
      path: "/api/auth/session/logout",
      scope: "read",
      summary: "Ends the session and clears its cookie.",
      statuses: { 204: "The session is over." },
      responseHeaders: ["Set-Cookie"],
      refusals: ["storage_full", "storage_unavailable"],
      handler: (context) => logout(context, options.sessions),
    },
  ];
}

// --- internal ---

async function exchange(context: RequestContext, options: AuthRoutesOptions): Promise<Response> {
  const { credential } = await readJson(context.request, ExchangeBody);
  if (credential.trim() === "") throw new Fault("bad_request", "The token is empty");
  if (options.tokenDigest === null) {
    throw new Fault(
      "bad_request",
      "This server has no token, so there is nothing to sign in with",
      {
        hint: "Start it with --token-file, or use it from its own machine.",
      },
    );
  }
  if (!equalDigests(await digestOf(credential.trim()), options.tokenDigest)) {
    throw new Fault("auth_required", "That is not the token of this server", {
      hint: "Look at the file that the server was started with (--token-file).",
      context: { auth_reason_code: "invalid_static_token" },
    });
  }
  const session = await options.sessions.create(SESSION_SCOPES);
  return jsonResponse({
    ok: true,
    expires_at: null,
    user_id: "control",
  }, { headers: { "set-cookie": sessionCookie(context.client.host, session.credential) } });
}

async function logout(context: RequestContext, sessions: SessionService): Promise<Response> {
  const { sessionId } = context.principal;
  if (sessionId === null) {
    throw new Fault("auth_required", "There is no session to end", {
      context: { auth_reason_code: "session_invalid_or_expired" },
    });
  }
  await sessions.revoke(sessionId);
  return new Response(null, {
    status: 204,
    headers: {
      "cache-control": "no-store",
      "set-cookie": sessionCookie(context.client.host, null),
    },
  });
}
