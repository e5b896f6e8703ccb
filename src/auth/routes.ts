/**
 * Signing in and out (`facts/holon.md` §a.4).
 *
 * @module
 */

import { z } from "zod";
import { Fault } from "../fault.ts";
import { jsonResponse } from "../http/json.ts";
import { readJson } from "../http/json_body.ts";
import type { Principal, RequestContext, Route } from "../http/route.ts";
import { tooManyAttempts } from "../http/router.ts";
import type { Attempts } from "./attempts.ts";
import type { Makers } from "./makers.ts";
import { isScope, SCOPES } from "./scopes.ts";
import { clearedCookie, type IsSecure, sessionAnswer, signIn } from "./session_answer.ts";
import { sessionRoutes } from "./session_routes.ts";
import type { SessionService } from "./sessions.ts";
import { tokenRoutes } from "./token_routes.ts";
import type { TokenService } from "./tokens.ts";

/** What the routes need. */
export interface AuthRoutesOptions {
  /** Whether the server was given a token, which is then needed over TCP. */
  readonly required: boolean;
  readonly sessions: SessionService;
  readonly tokens: TokenService;
  readonly makers: Makers;
  readonly attempts: Pick<Attempts, "note">;
  readonly isSecure: IsSecure;
}

const ExchangeBody = z.object({
  credential: z.string().max(4096).describe("The server's token, or another one of it."),
}).meta({ examples: [{ credential: "TOKEN" }] });
const MethodAnswer = z.object({ mode: z.literal("local"), required: z.boolean() });
const MeAnswer = z.object({
  ok: z.literal(true),
  user_id: z.string(),
  display_name: z.string().nullable(),
  auth_method: z.enum(["local_control", "local", "session"]),
  scopes: z.array(z.enum(SCOPES)).describe("What the credential is good for."),
});

/** The routes under `/api/auth`. */
export function authRoutes(options: AuthRoutesOptions): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/api/auth/method",
      scope: "public",
      summary: "Tells how to sign in, and whether that is needed over TCP.",
      response: MethodAnswer,
      handler: () => jsonResponse({ mode: "local", required: options.required }),
    },
    {
      method: "POST",
      path: "/api/auth/session/exchange",
      scope: "public",
      summary: "Turns a token into a session cookie with the token's scope.",
      body: ExchangeBody,
      response: sessionAnswer,
      responseHeaders: ["Set-Cookie"],
      refusals: ["auth_required", "storage_full", "storage_unavailable", "too_many_attempts"],
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
          auth_method: methodOf(principal),
          scopes: [...principal.scopes].filter(isScope),
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
      handler: (context) => logout(context, options),
    },
    ...sessionRoutes(options),
    ...tokenRoutes(options),
  ];
}

// --- internal ---

function methodOf({ kind }: Principal): string {
  return kind === "session" ? "session" : kind === "token" ? "local_control" : "local";
}

async function exchange(context: RequestContext, options: AuthRoutesOptions): Promise<Response> {
  const { credential } = await readJson(context.request, ExchangeBody);
  if (credential.trim() === "") throw new Fault("bad_request", "The token is empty");
  const maker = await options.makers.ofCredential(credential.trim());
  if (maker !== null) return await signIn(context, { ...maker, method: "token" }, options);
  if (!options.required && options.tokens.list().length === 0) {
    throw new Fault(
      "bad_request",
      "This server has no token, so there is nothing to sign in with",
      {
        hint: "Start it with --token-file, or use it from its own machine.",
      },
    );
  }
  const waitS = options.attempts.note(context.client.address);
  if (waitS > 0) throw tooManyAttempts(waitS);
  throw new Fault("auth_required", "That is not a token of this server", {
    hint: "Look at the file that the server was started with (--token-file).",
    context: { auth_reason_code: "invalid_static_token" },
  });
}

async function logout(
  context: RequestContext,
  { sessions, isSecure }: AuthRoutesOptions,
): Promise<Response> {
  const { sessionId } = context.principal;
  if (sessionId === null) {
    throw new Fault("auth_required", "There is no session to end", {
      context: { auth_reason_code: "session_invalid_or_expired" },
    });
  }
  await sessions.revoke(sessionId);
  return new Response(null, {
    status: 204,
    headers: { "cache-control": "no-store", "set-cookie": clearedCookie(context, isSecure) },
  });
}
