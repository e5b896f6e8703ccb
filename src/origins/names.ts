/**
 * Which label belongs to which app.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { DeriveBytes } from "./home_key.ts";
import { isAppLabel, LABEL_DIGITS, slugOf } from "./labels.ts";
import type { OriginStore } from "./store.ts";
import type { AppRef } from "./types.ts";

/** Finds labels and apps by each other. */
export interface OriginNames {
  /** The app's label; it gets one at the first call, and keeps it. */
  labelOf(app: AppRef): Promise<string>;
  /** The app that has a label; `null` where none has. */
  appAt(label: string): AppRef | null;
}

/** Apps that are remembered outside of the database. */
const MAX_REMEMBERED = 1_000;

/**
 * Makes the names. A label's digits come from a keyed hash of the agent and the app, so that
 * whoever doesn't know the home's secret can't tell it; the next digits are taken where another app
 * has them. What was given out is stored: an app never inherits another one's origin, with all that
 * browsers keep for it.
 */
export function createOriginNames(store: OriginStore, derive: DeriveBytes): OriginNames {
  const remembered = new Map<string, AppRef>();

  async function assign(app: AppRef): Promise<string> {
    const digest = await derive(`label\0${app.agentId}\0${app.appId}`);
    const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const slug = slugOf(app.appId);
    const label = await store.assign(
      app,
      Array.from(
        { length: hex.length / LABEL_DIGITS },
        (_, index) => `${slug}-${hex.slice(index * LABEL_DIGITS, (index + 1) * LABEL_DIGITS)}`,
      ),
    );
    if (label !== undefined) return label;
    throw new Fault("service_unavailable", "No name is free for this app's origin");
  }

  return {
    labelOf: async (app) => store.labelOf(app) ?? await assign(app),
    appAt(label) {
      if (!isAppLabel(label)) return null;
      const known = remembered.get(label) ?? store.appAt(label);
      if (known === undefined) return null;
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(label, known);
      return known;
    },
  };
}
