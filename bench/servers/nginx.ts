/**
 * nginx as the yardstick: one worker and sendfile.
 *
 * @module
 */

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { type BenchServer, benchServer } from "./process.ts";

/** Its version; `undefined` if it isn't installed. */
export function nginxVersion(): string | undefined {
  const text = execFileSync("sh", ["-c", `${nginxPath()} -v 2>&1 || true`], { encoding: "utf8" });
  return /nginx\/([\d.]+)/.exec(text)?.[1];
}

/** Starts it over a folder. */
export async function startNginx(root: string, directory: string): Promise<BenchServer> {
  const port = await freePort();
  mkdirSync(directory, { recursive: true });
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
  return benchServer(child, new URL(`http://127.0.0.1:${port}/`));
}

function nginxPath(): string {
  return ["/usr/sbin/nginx", "/usr/local/sbin/nginx"].find((it) => existsSync(it)) ?? "nginx";
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
