/**
 * Bundles of browser code, by esbuild.
 *
 * @module
 */

import { build } from "esbuild";

/** How a bundle is loaded: by a classic `<script>`, or as a module. */
export type BundleFormat = "esm" | "iife";

/** Browsers that have all we use, without helpers: any of the last two years. */
const TARGET = ["chrome120", "firefox121", "safari17.4"];

/** Bundles and minifies an entry file of TypeScript or CSS; the text is the same on each machine. */
export async function bundle(entry: string, format: BundleFormat, root: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format,
    target: TARGET,
    charset: "utf8",
    legalComments: "none",
    logLevel: "error",
    tsconfigRaw: {},
  });
  return outputFiles[0]!.text.trimEnd();
}
