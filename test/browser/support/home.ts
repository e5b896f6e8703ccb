/**
 * Homes with agents and apps for browser tests.
 *
 * @module
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { TEMPLATES } from "../../../src/apps/templates_built.ts";
import { tempDirectory } from "../../support/temp_home.ts";

/** A home on disk. */
export interface TestHome {
  readonly path: string;
  /** Writes `agents/<agent>/agent.json`. */
  agent(id: string, config: unknown): void;
  /** Writes files below `agents/<agent>/`. */
  file(agent: string, path: string, text: string): void;
  /** Writes an app of files by path. */
  app(agent: string, id: string, files: Readonly<Record<string, string>>): void;
  /** Writes the ping card of the first run. */
  pingCard(agent: string): void;
  remove(): void;
}

/** Makes an empty home. */
export function testHome(): TestHome {
  const { path, remove } = tempDirectory();
  const write = (relative: string, text: string) => {
    const file = join(path, relative);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600 });
  };
  const home: TestHome = {
    path,
    remove,
    agent: (id, config) => write(`agents/${id}/agent.json`, JSON.stringify(config)),
    file: (agent, relative, text) => write(`agents/${agent}/${relative}`, text),
    app: (agent, id, files) => {
      for (const [name, text] of Object.entries(files)) {
        write(`agents/${agent}/apps/${id}/${name}`, text);
      }
    },
    pingCard: (agent) =>
      home.app(
        agent,
        "ping-card",
        Object.fromEntries(TEMPLATES["ping-card"].map((file) => [file.path, file.content])),
      ),
  };
  return home;
}

/** A page that loads the SDK and then runs a module of its own. */
export function sdkPage(script: string, sdk = "holon.js"): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Test</title></head>
<body><h1>Test</h1><script src="${sdk}"></script><script type="module" src="${script}"></script>
</body></html>`;
}
