/**
 * The servers that are measured: Holon on each runtime, and nginx as the yardstick.
 *
 * @module
 */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { ROOT, toolPath } from "../scripts/gate/tools.ts";

/** The servers, in the order of the report. */
export const SERVERS = ["nginx", "node", "bun", "deno"] as const;

/** One of {@linkcode SERVERS}. */
export type ServerName = typeof SERVERS[number];

/** A server under way. */
export interface BenchServer {
  /** The folder's address, with a slash at the end. */
  readonly base: URL;
  /** Sets the mark of the memory peak back (Linux). */
  resetPeak(): void;
  /** Peak of the resident memory since then, in MiB; `undefined` where it can't be read. */
  peak(): number | undefined;
  stop(): Promise<void>;
}

/** Starts a server that serves the files of a folder. */
export async function startServer(
  name: ServerName,
  files: readonly string[],
  directory: string,
): Promise<BenchServer> {
  mkdirSync(directory, { recursive: true });
  return name === "nginx"
    ? await startNginx(files, directory)
    : await startHolon(name, files, directory);
}

/** The version of a server's program; `undefined` if it isn't there. */
export function serverVersion(name: ServerName): string | undefined {
  try {
    if (name === "nginx") {
      const path = nginxPath();
      const text = execFileSync("sh", ["-c", `${path} -v 2>&1`], { encoding: "utf8" });
      return /nginx\/([\d.]+)/.exec(text)?.[1];
    }
    const version = execFileSync(toolPath(name), ["--version"], { encoding: "utf8" });
    return version.split("\n")[0]?.replace(/^(?:deno |v)/, "").replace(/ \(.*/, "");
  } catch {
    return undefined;
  }
}

async function startHolon(
  runtime: Exclude<ServerName, "nginx">,
  files: readonly string[],
  directory: string,
): Promise<BenchServer> {
  const home = join(directory, "home");
  const flags = runtime === "deno" ? ["run", "-A", "--no-lock", "--node-modules-dir=manual"] : [];
  const { HOLON_CONTROL_TOKEN: _, ...env } = process.env;
  const child = spawn(toolPath(runtime), [...flags, "mod.ts", "serve", "--port", "0"], {
    cwd: ROOT,
    env: { ...env, HOLON_HOME: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const origin = await listeningOrigin(child);
  const app = join(home, "agents", "main", "apps", "bench");
  mkdirSync(app, { recursive: true });
  writeFileSync(join(app, "index.html"), "<!doctype html><title>Bench</title>");
  linkInto(files, app);
  return server(child, new URL("/apps/main/bench/", origin));
}

async function listeningOrigin(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const origin = /^holon listening on (http:\/\/[^\s/]+)/.exec(line)?.[1];
    if (origin === undefined) continue;
    child.stdout!.resume();
    return origin;
  }
  throw new Error("The server ended before it listened.");
}

async function startNginx(files: readonly string[], directory: string): Promise<BenchServer> {
  const root = join(directory, "root");
  mkdirSync(root);
  linkInto(files, root);
  const port = await freePort();
  const configuration = join(directory, "nginx.conf");
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${directory}/${name};`).join("\n  ");
  writeFileSync(
    configuration,
    `${user}
worker_processes 1;
daemon off;
pid ${directory}/nginx.pid;
error_log ${directory}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  keepalive_requests 100000000;
  ${scratch}
  server { listen 127.0.0.1:${port}; root ${root}; }
}
`,
  );
  const child = spawn(nginxPath(), ["-c", configuration, "-e", join(directory, "error.log")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await accepting(port);
  return server(child, new URL(`http://127.0.0.1:${port}/`));
}

function nginxPath(): string {
  return ["/usr/sbin/nginx", "/usr/local/sbin/nginx"].find((it) => existsSync(it)) ?? "nginx";
}

/** Hard links, so that both servers read the same pages of the cache. */
function linkInto(files: readonly string[], folder: string): void {
  for (const file of files) linkSync(file, join(folder, file.split("/").at(-1) ?? ""));
}

function server(child: ChildProcess, base: URL): BenchServer {
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const pids = () => [child.pid ?? 0, ...childPids(child.pid ?? 0)];
  return {
    base,
    resetPeak: () => {
      for (const pid of pids()) {
        try {
          writeFileSync(`/proc/${pid}/clear_refs`, "5");
        } catch {
          // Not Linux, or not allowed: the peak since the start is reported.
        }
      }
    },
    peak: () => {
      try {
        const kib = pids().map((pid) =>
          Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)
        );
        return kib.reduce((sum, it) => sum + it, 0) / 1024;
      } catch {
        return undefined;
      }
    },
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function childPids(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")
      .filter((it) => it !== "").map(Number);
  } catch {
    return [];
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { readonly port: number };
      probe.close(() => resolve(port));
    });
  });
}

async function accepting(port: number): Promise<void> {
  for (let round = 0; round < 200; round++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
    if (open) return;
    await delay(25);
  }
  throw new Error("nginx did not start.");
}
