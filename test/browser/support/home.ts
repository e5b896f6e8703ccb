/**
 * Homes with agents and apps for browser tests.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TemplateName, TEMPLATES } from "../../../src/apps/templates_built.ts";
import { tempDirectory } from "../../support/temp_home.ts";

/** A home on disk. */
export interface TestHome {
  readonly path: string;
  /** Writes `agents/<agent>/agent.json`. */
  agent(id: string, config: unknown): void;
  /** Writes files below `agents/<agent>/`. */
  file(agent: string, path: string, content: string | Uint8Array): void;
  /** Writes an app of files by path. */
  app(agent: string, id: string, files: Readonly<Record<string, string>>): void;
  /** Writes an app from a template; its id is the template's name. */
  template(agent: string, name: TemplateName): void;
  remove(): void;
}

/** Makes an empty home. */
export function testHome(): TestHome {
  const { path, remove } = tempDirectory();
  const write = (relative: string, content: string | Uint8Array) => {
    const file = join(path, relative);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, content, { mode: 0o600 });
  };
  const home: TestHome = {
    path,
    remove,
    agent: (id, config) => write(`agents/${id}/agent.json`, JSON.stringify(config)),
    file: (agent, relative, content) => write(`agents/${agent}/${relative}`, content),
    app: (agent, id, files) => {
      for (const [name, text] of Object.entries(files)) {
        write(`agents/${agent}/apps/${id}/${name}`, text);
      }
    },
    template: (agent, name) => {
      for (const { path, encoding, content } of TEMPLATES[name]) {
        const filled = content.replaceAll("{{id}}", name).replaceAll("{{name}}", name);
        write(
          `agents/${agent}/apps/${name}/${path}`,
          encoding === "utf8" ? filled : Buffer.from(content, "base64"),
        );
      }
    },
  };
  return home;
}

/** A page that loads the SDK and then runs a module of its own. */
export function sdkPage(script: string, sdk = "holon.js"): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Test</title></head>
<body><h1>Test</h1><script src="${sdk}"></script><script type="module" src="${script}"></script>
</body></html>`;
}
