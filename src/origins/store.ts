/**
 * Labels of apps as stored.
 *
 * @module
 */

import type { AppRef } from "./types.ts";

/** Every method is one transaction. */
export interface OriginStore {
  /** The app that has a label. */
  appAt(label: string): AppRef | undefined;
  /** The label that an app has. */
  labelOf(app: AppRef): string | undefined;
  /**
   * Gives an app the first of some labels that no other app has, unless it has one already.
   *
   * @returns its label; `undefined` when all are taken
   */
  assign(app: AppRef, candidates: readonly string[]): Promise<string | undefined>;
}
