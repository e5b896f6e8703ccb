/**
 * By which options a server runs: what tells two starts apart.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { isAbsolute, resolve } from "node:path";
import type { StartupSurface } from "../../config/routes.ts";
import type { AccessPlan } from "../access/access_plan.ts";
import { addressText } from "../listen_address.ts";

/** One field that two starts don't share. */
export interface SurfaceDifference {
  readonly field: keyof StartupSurface | "token";
  readonly running: string;
  readonly asked: string;
}

/**
 * What a plan comes to, without the token itself.
 *
 * @param cwd what a relative token file starts from
 */
export function surfaceOf(plan: AccessPlan, cwd: string): StartupSurface {
  const { advertise, token } = plan;
  const file = token?.kind === "file" ? token.path : null;
  return {
    access: plan.access,
    listen: plan.listen.map(addressText),
    listen_name: plan.listenName,
    advertise: advertise === null
      ? null
      : advertise.kind === "url"
      ? advertise.url
      : advertise.host,
    callback_base_url: plan.callbackBaseUrl,
    // A daemon gets the token of an option by its environment: that is no difference.
    token_source: token === null ? "none" : file === null ? "inline" : "file",
    token_file: file === null || isAbsolute(file) ? file : resolve(cwd, file),
  };
}

/** A short text that two starts share when they are by the same options. */
export function fingerprintOf(surface: StartupSurface): string {
  const fields = FIELDS.map((field) => [field, surface[field]]);
  return createHash("sha256").update(JSON.stringify(fields)).digest("hex").slice(0, 32);
}

/** The fields in which they differ; empty when nothing is known of the running server. */
export function differences(running: unknown, asked: StartupSurface): SurfaceDifference[] {
  if (typeof running !== "object" || running === null) return [];
  const there = running as Partial<Record<keyof StartupSurface, unknown>>;
  return FIELDS.filter((field) => JSON.stringify(there[field]) !== JSON.stringify(asked[field]))
    .map((field) => ({ field, running: words(there[field]), asked: words(asked[field]) }));
}

const FIELDS = [
  "access",
  "listen",
  "listen_name",
  "advertise",
  "callback_base_url",
  "token_source",
  "token_file",
] as const satisfies readonly (keyof StartupSurface)[];

function words(value: unknown): string {
  if (value === null || value === undefined) return "none";
  return Array.isArray(value) ? value.join(" and ") : String(value);
}
