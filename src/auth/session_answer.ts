/**
 * The answer that makes a browser signed in.
 *
 * @module
 */

import { z } from "zod";
import type { Client } from "../http/client.ts";
import { jsonResponse } from "../http/json.ts";
import type { RequestContext } from "../http/route.ts";
import { sessionCookie } from "./cookie.ts";
import type { NewSession, SessionService } from "./sessions.ts";

/** Whether a client comes over TLS, as far as that can be known. */
export type IsSecure = (client: Client) => boolean;

/** What it takes to sign a browser in. */
export interface SessionAnswerOptions {
  readonly sessions: SessionService;
  readonly isSecure: IsSecure;
}

/** Shape of the answer (`facts/holon.md` §a.4). */
export const sessionAnswer: z.ZodType = z.object({
  ok: z.literal(true),
  expires_at: z.iso.datetime().nullable().describe(
    "When the session ends at the latest; null for no limit but idleness.",
  ),
  user_id: z.string(),
});

/** Makes a session and answers with its cookie. */
export async function signIn(
  context: RequestContext,
  asked: Omit<NewSession, "userAgent">,
  { sessions, isSecure }: SessionAnswerOptions,
): Promise<Response> {
  const { request, client } = context;
  const userAgent = request.headers.get("user-agent");
  const { credential, session } = await sessions.create({ ...asked, userAgent });
  const end = sessions.endOf(session);
  return jsonResponse({
    ok: true,
    expires_at: end === null ? null : new Date(end).toISOString(),
    user_id: "control",
  }, {
    headers: {
      "set-cookie": sessionCookie(client.host, credential, isSecure(client)),
    },
  });
}

/** A `Set-Cookie` value that takes the session's cookie away. */
export function clearedCookie({ client }: RequestContext, isSecure: IsSecure): string {
  return sessionCookie(client.host, null, isSecure(client));
}
