/**
 * How long sessions last, by the settings (`facts/holon.md` §f.2).
 *
 * @module
 */

import type { ConfigSnapshot, Settings } from "./settings.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The lifetimes in ms; no absolute one is `null`. */
export function sessionRulesOf(
  { auth }: Pick<Settings, "auth">,
): { readonly idleMs: number; readonly absoluteMs: number | null } {
  const days = auth.session_absolute_days ?? 0;
  return {
    idleMs: auth.session_idle_hours * HOUR_MS,
    absoluteMs: days === 0 ? null : days * DAY_MS,
  };
}

/** Says, as a sentence, what is wrong with the lifetimes together; `null` when nothing is. */
export function sessionProblem({ settings }: ConfigSnapshot): string | null {
  const { idleMs, absoluteMs } = sessionRulesOf(settings);
  if (absoluteMs === null || idleMs <= absoluteMs) return null;
  const { session_idle_hours: hours, session_absolute_days: days } = settings.auth;
  return `auth.session_idle_hours (${hours}) is longer than auth.session_absolute_days (${days}): ` +
    "a session can't be idle for longer than it lasts";
}
