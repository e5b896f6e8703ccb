/**
 * Says in one sentence what is missing where Holon can't run as it was started.
 *
 * @module
 */

import process from "node:process";

/** The oldest Node that strips types and has all that Holon uses. */
const OLDEST_NODE = 24;

/** Permissions of Deno, as far as they are asked about here. */
interface DenoPermissions {
  readonly permissions: {
    querySync(
      descriptor: { readonly name: "env" | "net" | "read" | "sys" | "write" },
    ): { readonly state: "denied" | "granted" | "prompt" };
  };
  readonly stdin: { isTerminal(): boolean };
  readonly stderr: { isTerminal(): boolean };
}

/** What is wrong with the runtime, as a sentence; `null` when Holon runs on it. */
export function runtimeProblem(): string | null {
  return nodeProblem(process.versions) ?? denoProblem();
}

/** The sentence for a Node that is too old; `null` on other runtimes and on newer ones. */
export function nodeProblem(
  versions: Readonly<Record<string, string | undefined>>,
): string | null {
  if (versions.deno !== undefined || versions.bun !== undefined) return null;
  const found = versions.node ?? "0";
  if (Number(found.split(".")[0]) >= OLDEST_NODE) return null;
  return `Holon needs Node.js ${OLDEST_NODE} or newer, and this is ${found}: \`npm run serve\` ` +
    "uses the one that `npm ci` installs.";
}

/**
 * The sentence for a Deno that may not do what Holon needs and has no terminal to ask on; on a
 * terminal Deno asks.
 */
function denoProblem(): string | null {
  const deno = (globalThis as { readonly Deno?: DenoPermissions }).Deno;
  if (deno === undefined) return null;
  if (deno.stdin.isTerminal() && deno.stderr.isTerminal()) return null;
  const missing = (["env", "read", "write", "net", "sys"] as const)
    .filter((name) => deno.permissions.querySync({ name }).state === "prompt");
  // A narrower grant than "all" also reads as "prompt", so only a start without any is certain.
  if (missing.length < 5) return null;
  return "Holon may not read files or open a port: run `deno run -A mod.ts serve` or " +
    "`deno task serve`.";
}
