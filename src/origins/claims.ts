/**
 * A grant as claims of a signed token.
 *
 * @module
 */

import { z } from "zod";
import type { Grant } from "./types.ts";

const schema = z.object({
  agent: z.string(),
  app: z.string(),
  by: z.enum(["local", "session", "token"]),
  sid: z.string().nullable(),
  tid: z.string().nullable(),
});

/** The claims of a grant. */
export function grantToClaims(grant: Grant): Record<string, unknown> {
  const { agentId, appId, by, sessionId, tokenId } = grant;
  return { agent: agentId, app: appId, by, sid: sessionId, tid: tokenId };
}

/** The grant in verified claims; `null` where they hold none. */
export function grantOfClaims(claims: unknown): Grant | null {
  const parsed = schema.safeParse(claims);
  if (!parsed.success) return null;
  const { agent, app, by, sid, tid } = parsed.data;
  return { agentId: agent, appId: app, by, sessionId: sid, tokenId: tid };
}
