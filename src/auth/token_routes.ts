/**
 * Making server tokens and ending them.
 *
 * @module
 */

import { z } from "zod";
import { jsonResponse } from "../http/json.ts";
import { readJson } from "../http/json_body.ts";
import type { Route } from "../http/route.ts";
import { SCOPES } from "./scopes.ts";
import type { ServerToken } from "./store.ts";
import type { IssuedToken, TokenService } from "./tokens.ts";

/** What the routes need. */
export interface TokenRoutesOptions {
  readonly tokens: TokenService;
}

/** The longest that a token may be good, in seconds: a hundred years. */
const MAX_LIFETIME_S = 100 * 365 * 24 * 3600;

const Lifetime = z.int().min(1).max(MAX_LIFETIME_S).nullable();

const CreateBody = z.strictObject({
  name: z.string().regex(/^(?!\.)[A-Za-z0-9._-]{1,64}$/).describe(
    "What to call it: 1 to 64 letters, digits, `-`, `_` and `.`, no dot in front.",
  ),
  scope: z.enum(SCOPES).default("read").describe(
    "`read` looks, `app` also uses apps, `control` does all.",
  ),
  expires_in_s: Lifetime.default(null).describe("How long it is good; null for ever."),
}).meta({ examples: [{ name: "dashboard", scope: "read", expires_in_s: 2592000 }] });
const RotateBody = z.strictObject({
  expires_in_s: Lifetime.optional().describe("How long the new one is good; else as the old one."),
}).meta({ examples: [{}] });

const TokenShape = z.object({
  name: z.string(),
  scope: z.enum(SCOPES),
  state: z.enum(["expired", "live"]),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime().nullable(),
}).meta({ id: "Token" });
const TokensAnswer = z.object({ ok: z.literal(true), tokens: z.array(TokenShape) });
const IssuedAnswer = z.object({
  ok: z.literal(true),
  token: TokenShape,
  credential: z.string().describe("The secret. It is shown this once, and kept as a digest only."),
});
const RevokedAnswer = z.object({
  ok: z.literal(true),
  ended_sessions: z.int().describe("Sessions that it had made, and that ended with it."),
});

/** The routes under `/api/auth/tokens`. */
export function tokenRoutes({ tokens }: TokenRoutesOptions): readonly Route[] {
  const storage = ["storage_full", "storage_unavailable"] as const;
  const common = { scope: "control", refusals: storage } as const;

  function issued({ token, credential }: IssuedToken): Response {
    return jsonResponse({ ok: true, token: toWire(token, tokens), credential });
  }

  return [
    {
      method: "GET",
      path: "/api/auth/tokens",
      scope: "control",
      summary: "Lists the tokens besides the server's own, without their secrets.",
      response: TokensAnswer,
      handler: () =>
        jsonResponse({ ok: true, tokens: tokens.list().map((token) => toWire(token, tokens)) }),
    },
    {
      ...common,
      method: "POST",
      path: "/api/auth/tokens",
      summary: "Makes a token and shows its secret once.",
      body: CreateBody,
      response: IssuedAnswer,
      refusals: [...storage, "token_exists", "too_many_tokens"],
      handler: async ({ request }) => {
        const { name, scope, expires_in_s } = await readJson(request, CreateBody);
        return issued(await tokens.create(name, scope, inMs(expires_in_s)));
      },
    },
    {
      ...common,
      method: "POST",
      path: "/api/auth/tokens/:token/rotate",
      summary: "Gives a token another secret; the old one, and what it made, ends at once.",
      body: RotateBody,
      response: IssuedAnswer,
      handler: async ({ request, params }) => {
        const { expires_in_s } = await readJson(request, RotateBody);
        const lifetime = expires_in_s === undefined ? undefined : inMs(expires_in_s);
        return issued(await tokens.rotate(params["token"] ?? "", lifetime));
      },
    },
    {
      ...common,
      method: "DELETE",
      path: "/api/auth/tokens/:token",
      summary: "Ends a token, its sessions, and their event streams.",
      response: RevokedAnswer,
      handler: async ({ params }) =>
        jsonResponse({ ok: true, ended_sessions: await tokens.revoke(params["token"] ?? "") }),
    },
  ];
}

// --- internal ---

function inMs(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1000;
}

function toWire(token: ServerToken, tokens: TokenService): z.infer<typeof TokenShape> {
  const time = (ms: number | null) => ms === null ? null : new Date(ms).toISOString();
  return {
    name: token.name,
    scope: token.scope,
    state: tokens.isLive(token) ? "live" : "expired",
    created_at: new Date(token.createdAt).toISOString(),
    last_used_at: time(token.lastUsedAt),
    expires_at: time(token.expiresAt),
  };
}
