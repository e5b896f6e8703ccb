/**
 * Looking at sessions, and ending them from elsewhere.
 *
 * @module
 */

import { z } from "zod";
import { Fault } from "../fault.ts";
import { jsonResponse } from "../http/json.ts";
import type { RequestContext, Route } from "../http/route.ts";
import { SCOPES } from "./scopes.ts";
import { clearedCookie, type IsSecure } from "./session_answer.ts";
import type { SessionService } from "./sessions.ts";
import type { Session } from "./store.ts";
import type { TokenService } from "./tokens.ts";
import { clientName } from "./user_agent.ts";

/** What the routes need. */
export interface SessionRoutesOptions {
  readonly sessions: SessionService;
  readonly tokens: Pick<TokenService, "list">;
  readonly isSecure: IsSecure;
}

const SessionShape = z.object({
  id: z.string(),
  current: z.boolean().describe("Whether it is the session that asks."),
  client: z.string().describe("Who it was made for, such as Firefox on Linux."),
  user_agent: z.string().nullable(),
  scope: z.enum(SCOPES),
  method: z.enum(["pairing", "token"]).describe("How it was made."),
  token: z.string().nullable().describe("The name of the token that it ends with, if it has one."),
  created_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable().describe("When it ends at the latest."),
}).meta({ id: "Session" });
const SessionsAnswer = z.object({ ok: z.literal(true), sessions: z.array(SessionShape) });
const EndedAnswer = z.object({
  ok: z.literal(true),
  ended: z.int().describe("How many sessions have ended by this."),
});

/** The routes under `/api/auth/sessions`. */
export function sessionRoutes(options: SessionRoutesOptions): readonly Route[] {
  const { sessions, isSecure } = options;
  const refusals = ["storage_full", "storage_unavailable"] as const;
  return [
    {
      method: "GET",
      path: "/api/auth/sessions",
      scope: "control",
      summary: "Lists the sessions, the one that was used last first.",
      response: SessionsAnswer,
      handler: ({ principal }) =>
        jsonResponse({
          ok: true,
          sessions: sessions.list().map((session) => toWire(session, options, principal.sessionId)),
        }),
    },
    {
      method: "DELETE",
      path: "/api/auth/sessions",
      scope: "control",
      summary: "Ends all sessions but the one that asks, and their event streams.",
      response: EndedAnswer,
      refusals,
      handler: async ({ principal }) =>
        jsonResponse({ ok: true, ended: await sessions.revokeOthers(principal.sessionId) }),
    },
    {
      method: "DELETE",
      path: "/api/auth/sessions/:session",
      scope: "control",
      summary: "Ends a session and its event streams.",
      response: EndedAnswer,
      refusals,
      handler: async (context) => {
        const id = context.params["session"] ?? "";
        if (!await sessions.revoke(id)) {
          throw new Fault("not_found", "There is no such session, or it has ended", {
            hint: "`holon sessions list` shows those that there are.",
          });
        }
        return jsonResponse({ ok: true, ended: 1 }, { headers: ownCookie(context, id, isSecure) });
      },
    },
  ];
}

// --- internal ---

function ownCookie(
  context: RequestContext,
  id: string,
  isSecure: IsSecure,
): Readonly<Record<string, string>> {
  if (context.principal.sessionId !== id) return {};
  return { "set-cookie": clearedCookie(context, isSecure) };
}

function toWire(
  session: Session,
  { sessions, tokens }: SessionRoutesOptions,
  current: string | null,
): z.infer<typeof SessionShape> {
  const end = sessions.endOf(session);
  const token = tokens.list().find(({ id }) => session.madeBy === `token:${id}`);
  return {
    id: session.id,
    current: session.id === current,
    client: clientName(session.userAgent),
    user_agent: session.userAgent,
    scope: session.scope,
    method: session.method,
    token: token?.name ?? null,
    created_at: new Date(session.createdAt).toISOString(),
    last_seen_at: new Date(session.lastSeenAt).toISOString(),
    expires_at: end === null ? null : new Date(end).toISOString(),
  };
}
