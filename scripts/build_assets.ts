/**
 * Builds what is served to browsers into TypeScript modules of strings, which are committed: serving
 * needs no build, and a single binary contains them. Also the list of commands in `docs/cli.md`.
 *
 * `node scripts/build_assets.ts` writes them; `--check` only tells whether they are up to date.
 *
 * @module
 */

import { stop } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { cliPage } from "./assets/cli_reference.ts";
import { pagesModule } from "./assets/pages.ts";
import { sdkModule } from "./assets/sdk.ts";
import { templatesModule } from "./assets/templates.ts";

const root = join(import.meta.dirname, "..");

const MODULES: Readonly<Record<string, (root: string) => Promise<string>>> = {
  "docs/cli.md": cliPage,
  "src/apps/sdk_built.ts": sdkModule,
  "src/apps/templates_built.ts": templatesModule,
  "src/web/built.ts": pagesModule,
};

/** Builds all modules; the result is the exit code. */
async function main(check: boolean): Promise<number> {
  let stale = 0;
  for (const [path, build] of Object.entries(MODULES)) {
    const text = await build(root);
    const file = join(root, path);
    const present = await readFile(file, "utf8").catch(() => "");
    if (present === text) continue;
    stale++;
    if (check) console.error(`${path} is not what its sources give: run \`npm run build\`.`);
    else {
      await writeFile(file, text);
      console.log(`${path} written`);
    }
  }
  return check && stale > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.includes("--check"));
await stop();
