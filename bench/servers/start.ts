/**
 * The servers that are measured: Holon on each runtime, and what people would use instead.
 *
 * @module
 */

import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ROOT, type Runtime, toolPath } from "../../scripts/gate/tools.ts";
import { copyDenoStd } from "../peers/deno_std_copy.ts";
import { nginxVersion, startNginx } from "./nginx.ts";
import { type BenchServer, benchServer, startListening } from "./process.ts";

/** What can be started. */
export interface ServerKind {
  readonly name: string;
  /** What it runs on; `null` for nginx. */
  readonly runtime: Runtime | null;
  /** Root of the source tree of a Holon; `null` for a peer. */
  readonly source: string | null;
  readonly version: string | undefined;
}

const PEERS: readonly (readonly [name: string, runtime: Runtime])[] = [
  ["sirv", "node"],
  ["send", "node"],
  ["srvx", "node"],
  ["Bun.file", "bun"],
  ["@std/http", "deno"],
];

/**
 * All servers, in the order of the report.
 *
 * @param against another source tree of Holon, measured beside this one
 */
export function serverKinds(
  runtimes: readonly Runtime[],
  against: { readonly name: string; readonly source: string } | null,
): readonly ServerKind[] {
  const holons = (source: string, suffix: string) =>
    runtimes.map((runtime): ServerKind => ({
      name: `Holon, ${runtime}${suffix}`,
      runtime,
      source,
      version: runtimeVersion(runtime),
    }));
  const peers = PEERS.filter(([, runtime]) => runtimes.includes(runtime));
  return [
    { name: "nginx", runtime: null, source: null, version: nginxVersion() },
    ...holons(ROOT, ""),
    ...(against === null ? [] : holons(against.source, ` at ${against.name}`)),
    ...peers.map(([name, runtime]): ServerKind => ({
      name,
      runtime,
      source: null,
      version: peerVersion(name, runtime),
    })),
  ].filter(({ version }) => version !== undefined);
}

/** Starts a server over files; `directory` is its own and must not exist. */
export async function startServer(
  kind: ServerKind,
  files: readonly string[],
  directory: string,
): Promise<BenchServer> {
  mkdirSync(directory, { recursive: true });
  if (kind.source !== null) return await startHolon(kind, files, directory);
  const root = join(directory, "root");
  linkInto(files, root);
  if (kind.runtime === null) return await startNginx(root, join(directory, "nginx"));
  const script = join(ROOT, "bench", "peers", `${kind.runtime}_peer.ts`);
  const args = kind.runtime === "node"
    ? [kind.name, root]
    : kind.runtime === "deno"
    ? [root, copyDenoStd(directory)]
    : [root];
  const { child, origin } = await startListening(
    toolPath(kind.runtime),
    [...flagsOf(kind.runtime), script, ...args],
  );
  return benchServer(child, new URL("/", origin));
}

/** Starts `holon serve` on a home of its own, with an app `bench` that holds the files. */
export async function startHolon(
  { runtime, source }: ServerKind,
  files: readonly string[],
  directory: string,
): Promise<BenchServer> {
  if (runtime === null || source === null) throw new Error("This is no Holon.");
  const home = join(directory, "home");
  const { child, origin } = await startListening(
    toolPath(runtime),
    [...flagsOf(runtime), "mod.ts", "serve", "--port", "0"],
    // No log, as the peers have none.
    { cwd: source, env: { HOLON_HOME: home, HOLON_LOG: "off" } },
  );
  const app = join(home, "agents", "main", "apps", "bench");
  linkInto(files, app);
  writeFileSync(join(app, "index.html"), "<!doctype html><title>Bench</title>");
  const manifest = { id: "bench", name: "Bench", version: "1.0.0", entry: "index.html" };
  writeFileSync(join(app, "manifest.json"), JSON.stringify(manifest));
  return benchServer(child, new URL("/apps/main/bench/", origin));
}

/** Checks out an earlier commit to measure beside this one. */
export function checkOut(reference: string, directory: string): () => void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, stdio: "pipe" });
  git("worktree", "add", "--detach", directory, reference);
  symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"));
  return () => {
    rmSync(directory, { recursive: true, force: true });
    git("worktree", "prune");
  };
}

function flagsOf(runtime: Runtime): readonly string[] {
  return runtime === "deno" ? ["run", "-A", "--no-lock", "--node-modules-dir=manual"] : [];
}

/** Hard links, so that all servers read the same pages of the cache. */
function linkInto(files: readonly string[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const path of files) linkSync(path, join(folder, basename(path)));
}

function runtimeVersion(runtime: Runtime): string | undefined {
  try {
    const text = execFileSync(toolPath(runtime), ["--version"], { encoding: "utf8" });
    return text.split("\n")[0]?.replace(/^(?:deno |v)/, "").replace(/ \(.*/, "");
  } catch {
    return undefined;
  }
}

function peerVersion(name: string, runtime: Runtime): string | undefined {
  const module = name === "@std/http" ? "deno-std" : name;
  if (name === "Bun.file") return runtimeVersion(runtime);
  const path = join(ROOT, "node_modules", module, "package.json");
  return (JSON.parse(readFileSync(path, "utf8")) as { readonly version: string }).version;
}
