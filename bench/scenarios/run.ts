/**
 * Runs scenarios on each Holon, round by round.
 *
 * @module
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { LoadClient } from "../client/clients.ts";
import type { ScenarioResult } from "../report.ts";
import { median } from "../sample.ts";
import { type ServerKind, startHolon } from "../servers/start.ts";
import type { Figures, Scenario } from "./types.ts";

/** How to run them. */
export interface ScenarioOptions {
  readonly kinds: readonly ServerKind[];
  readonly scenarios: readonly Scenario[];
  readonly files: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly client: LoadClient;
  readonly directory: string;
}

/** One that fails is told of and left out: the others are worth having. */
export async function runScenarios(options: ScenarioOptions): Promise<readonly ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  for (const scenario of options.scenarios) {
    const runs = new Map<string, Figures[]>();
    for (let round = 0; round < options.rounds; round++) {
      for (const [index, kind] of options.kinds.entries()) {
        const { files, seconds, client } = options;
        const directory = join(options.directory, `${scenario.id}-${index}-${round}`);
        mkdirSync(directory);
        try {
          const start = () => startHolon(kind, files, directory);
          const figures = await scenario.run({ kind, files, directory, seconds, client, start });
          runs.set(kind.name, [...(runs.get(kind.name) ?? []), figures]);
          console.error(
            `round ${round + 1}  ${scenario.id} ${kind.name} ${JSON.stringify(figures)}`,
          );
        } catch (error) {
          console.error(`round ${round + 1}  ${scenario.id} ${kind.name} failed:`, error);
        }
      }
    }
    for (const [server, all] of runs) results.push(toResult(scenario.title, server, all));
  }
  return results;
}

function toResult(title: string, server: string, all: readonly Figures[]): ScenarioResult {
  const figures: Record<string, number> = {};
  const spread: Record<string, number> = {};
  for (const name of Object.keys(all[0] ?? {})) {
    const values = all.map((it) => it[name] ?? Number.NaN);
    const middle = median(values);
    figures[name] = middle;
    const width = Math.max(...values) - Math.min(...values);
    spread[name] = middle === 0 ? 0 : Math.round(width / Math.abs(middle) * 100);
  }
  return { title, server, figures, spread };
}
