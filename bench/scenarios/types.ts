/**
 * What a scenario is: something else than files at full speed, measured of a Holon alone.
 *
 * @module
 */

import type { LoadClient } from "../client/clients.ts";
import type { BenchServer } from "../servers/process.ts";
import type { ServerKind } from "../servers/start.ts";

/** What a scenario works with. */
export interface ScenarioContext {
  readonly kind: ServerKind;
  readonly files: readonly string[];
  /** A folder of its own. */
  readonly directory: string;
  readonly seconds: number;
  readonly client: LoadClient;
  /** Starts a Holon on a new home; whoever calls it stops it. */
  start(): Promise<BenchServer>;
}

/** Figures by what they are, with their unit. */
export type Figures = Readonly<Record<string, number>>;

/** A scenario. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  run(context: ScenarioContext): Promise<Figures>;
}
