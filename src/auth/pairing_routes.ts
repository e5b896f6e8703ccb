/**
 * Pairing over HTTP (`facts/holon.md` §a.4).
 *
 * @module
 */

import { z } from "zod";
import { Fault } from "../fault.ts";
import { jsonResponse } from "../http/json.ts";
import { readJson } from "../http/json_body.ts";
import type { RequestContext, Route } from "../http/route.ts";
import { tooManyAttempts } from "../http/router.ts";
import type { Attempts } from "./attempts.ts";
import type { KnownCredentials } from "./known.ts";
import type { Makers } from "./makers.ts";
import { PAIRING_MS, type PairingService } from "./pairing.ts";
import { type KnownReach, pairingAddress } from "./pairing_address.ts";
import { SCOPES } from "./scopes.ts";
import { type IsSecure, sessionAnswer, signIn } from "./session_answer.ts";
import type { SessionService } from "./sessions.ts";
import { clientName } from "./user_agent.ts";

/** What the routes need. */
export interface PairingRoutesOptions {
  readonly pairing: PairingService;
  readonly required: boolean;
  readonly sessions: SessionService;
  readonly makers: Pick<Makers, "ofPrincipal">;
  readonly credentials: Pick<KnownCredentials, "principalOf">;
  readonly attempts: Pick<Attempts, "note">;
  readonly isSecure: IsSecure;
  /** How the server is reached; `null` where Holon doesn't listen itself. */
  readonly reach: () => KnownReach | null;
  /** The wall clock, in ms since the epoch. */
  readonly now: () => number;
}

const IssueBody = z.strictObject({
  scope: z.enum(SCOPES).default("app").describe(
    "What the other device may do: `read` looks, `app` also uses apps, `control` does all.",
  ),
}).meta({ examples: [{ scope: "app" }] });
const IssueAnswer = z.object({
  ok: z.literal(true),
  id: z.string().describe("To ask by how it stands."),
  ticket: z.string().describe("64 hex digits; good once, shown this once."),
  url: z.string().describe("The link that the code shows; the ticket is in its fragment."),
  scope: z.enum(SCOPES),
  expires_at: z.iso.datetime(),
  expires_in_s: z.int(),
  reachable: z.boolean().describe("Whether another device can come to that address."),
  encrypted: z.boolean(),
  notes: z.array(z.string()).describe("What a person should know before it is shown."),
});
const RedeemBody = z.strictObject({ ticket: z.string().max(256) }).meta({
  examples: [{ ticket: "0".repeat(64) }],
});
const StateAnswer = z.object({
  ok: z.literal(true),
  state: z.enum(["expired", "used", "waiting"]),
  client: z.string().nullable().describe("Who has used it, such as Safari on iPhone."),
  expires_in_s: z.int(),
});
const AddressAnswer = IssueAnswer.pick({ ok: true, reachable: true, encrypted: true, notes: true })
  .extend({ base: z.string().describe("Where the other device would come.") });

/** The routes under `/api/auth/pairing`. */
export function pairingRoutes(options: PairingRoutesOptions): readonly Route[] {
  const { pairing, required, reach } = options;
  return [
    {
      method: "GET",
      path: "/api/auth/pairing",
      scope: "control",
      summary: "Says where another device would come to be paired, and what to know before.",
      response: AddressAnswer,
      handler: ({ client }) =>
        jsonResponse({ ok: true, ...pairingAddress(client, reach(), required) }),
    },
    {
      method: "POST",
      path: "/api/auth/pairing/issue",
      scope: "control",
      summary: "Makes a link that signs another device in, once, within two minutes.",
      body: IssueBody,
      response: IssueAnswer,
      refusals: ["too_many_tickets"],
      handler: (context) => issue(context, options),
    },
    {
      method: "POST",
      path: "/api/auth/pairing/redeem",
      scope: "public",
      summary: "Turns the ticket of a link into a session cookie.",
      body: RedeemBody,
      response: sessionAnswer,
      responseHeaders: ["Set-Cookie"],
      refusals: ["auth_required", "storage_full", "storage_unavailable", "too_many_attempts"],
      handler: (context) => redeem(context, options),
    },
    {
      method: "GET",
      path: "/api/auth/pairing/:pairing",
      scope: "control",
      summary: "Tells whether a link was used, and by whom.",
      response: StateAnswer,
      handler: ({ params }) => {
        const state = pairing.stateOf(params["pairing"] ?? "");
        if (state === null) throw new Fault("not_found", "There is no such pairing code");
        return jsonResponse({
          ok: true,
          state: state.state,
          client: state.state === "used" ? state.client : null,
          expires_in_s: state.state === "waiting" ? Math.ceil(state.leftMs / 1000) : 0,
        });
      },
    },
    {
      method: "DELETE",
      path: "/api/auth/pairing/:pairing",
      scope: "control",
      summary: "Makes a link worthless.",
      response: z.object({ ok: z.literal(true) }),
      handler: ({ params }) => {
        pairing.cancel(params["pairing"] ?? "");
        return jsonResponse({ ok: true });
      },
    },
  ];
}

// --- internal ---

async function issue(context: RequestContext, options: PairingRoutesOptions): Promise<Response> {
  const { principal, client } = context;
  const { scope } = await readJson(context.request, IssueBody);
  const { kind: by, sessionId, tokenId = null } = principal;
  if (by === "anonymous") throw new Fault("auth_required", "This needs a token or a session");
  const { id, ticket } = await options.pairing.issue(scope, { by, sessionId, tokenId });
  const { base, ...address } = pairingAddress(client, options.reach(), options.required);
  return jsonResponse({
    ok: true,
    id,
    ticket,
    url: `${base}/pair#${ticket}`,
    scope,
    expires_at: new Date(options.now() + PAIRING_MS).toISOString(),
    expires_in_s: PAIRING_MS / 1000,
    ...address,
  });
}

async function redeem(context: RequestContext, options: PairingRoutesOptions): Promise<Response> {
  const { request, client } = context;
  const { ticket } = await readJson(request, RedeemBody);
  const taken = await options.pairing.take(ticket.trim());
  // With the credential of who issued it, a ticket has ended too.
  const issuer = taken === null ? null : options.credentials.principalOf(taken.by);
  const maker = issuer === null ? null : options.makers.ofPrincipal(issuer);
  if (taken === null || maker === null) {
    const waitS = options.attempts.note(client.address);
    if (waitS > 0) throw tooManyAttempts(waitS);
    throw new Fault("auth_required", "This link was used already, or its two minutes are over", {
      hint: "Make a new one on a device that is signed in: `Pair a device` on the home page, " +
        "or `holon pair`.",
      context: { auth_reason_code: "pairing_invalid_or_expired" },
    });
  }
  const { madeBy, expiresAt } = maker;
  const asked = { madeBy, expiresAt, scope: taken.scope, method: "pairing" } as const;
  const response = await signIn(context, asked, options);
  options.pairing.noteUse(taken.id, clientName(request.headers.get("user-agent")));
  return response;
}
