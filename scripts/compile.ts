/**
 * Makes a single binary with Bun: `bun scripts/compile.ts [FILE]`, `dist/holon` by default.
 *
 * A script and not `bun build --compile`, since the terminal UI's library imports React's developer
 * tools where `DEV=true`. They are no dependency of ours, and a bundle has to resolve all it names.
 *
 * @module
 */

import { join, resolve } from "node:path";
import process from "node:process";

const root = join(import.meta.dirname, "..");
const outfile = resolve(process.argv[2] ?? join(root, "dist", "holon"));

/** What this uses of Bun's bundler. */
interface Bundler {
  build(options: Readonly<Record<string, unknown>>): Promise<{
    readonly success: boolean;
    readonly logs: readonly unknown[];
  }>;
}

interface PluginBuilder {
  onResolve(
    match: { readonly filter: RegExp },
    resolve: () => { readonly path: string; readonly namespace: string },
  ): void;
  onLoad(
    match: { readonly filter: RegExp; readonly namespace: string },
    load: () => { readonly contents: string; readonly loader: string },
  ): void;
}

const NAMESPACE = "left-out";

const leaveOutDevtools = {
  name: "leave out React's developer tools",
  setup(builder: PluginBuilder): void {
    builder.onResolve(
      { filter: /^react-devtools-core$/ },
      () => ({ path: "react-devtools-core", namespace: NAMESPACE }),
    );
    builder.onLoad(
      { filter: /.*/, namespace: NAMESPACE },
      () => ({ contents: "export default { initialize() {} };", loader: "js" }),
    );
  },
};

const bundler = (globalThis as { readonly Bun?: Bundler }).Bun;
if (bundler === undefined) {
  console.error("Run it with Bun: bun run compile");
  process.exit(2);
}
const { success, logs } = await bundler.build({
  entrypoints: [join(root, "mod.ts")],
  compile: { outfile },
  // React's development build is larger and slower, and it keeps what it renders for its tools.
  define: { "process.env.NODE_ENV": '"production"' },
  minify: true,
  plugins: [leaveOutDevtools],
});
for (const log of logs) console.error(String(log));
if (!success) process.exit(1);
