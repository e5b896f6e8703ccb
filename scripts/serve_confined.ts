/**
 * `deno task serve`: starts the server under Deno with just the permissions that it needs.
 *
 * Which home and which address those are is known only from the command line and the environment,
 * so the task can't name them; this program works them out and passes everything else on.
 *
 * @module
 */

import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";

/** The permissions, as Deno's flags, that `mod.ts serve` needs for these arguments. */
export function permissionFlags(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const { values } = parseArgs({
    args: [...args],
    strict: false,
    options: {
      "home": { type: "string" },
      "listen": { type: "string" },
      "port": { type: "string" },
      "token-file": { type: "string" },
    },
  });
  const text = (name: string) => typeof values[name] === "string" ? values[name] : undefined;
  const home = resolve(text("home") ?? (env["HOLON_HOME"] || join(env["HOME"] ?? "", ".holon")));
  // The server uses the home by its canonical name, and finds it by the given one.
  const homes = [...new Set([home, canonical(home)])];
  const token = text("token-file");
  const port = text("port");
  const address = text("listen") ??
    (port === undefined ? env["HOLON_HTTP_ADDR"] || "127.0.0.1:7878" : `127.0.0.1:${port}`);
  const sockets = homes.map((it) => `unix:${join(it, "run", "holon.sock")}`);
  return [
    flag("read", [...homes, ...(token === undefined ? [] : [resolve(token)]), "/proc"]),
    flag("write", homes),
    flag("net", [address.replace(/^localhost:/i, "127.0.0.1:"), ...sockets]),
    "--allow-env",
    "--allow-sys",
    // A runner's command is the operator's to choose.
    "--allow-run",
  ];
}

/** In a flag's list a comma is written twice. */
function flag(name: string, values: readonly string[]): string {
  return `--allow-${name}=${values.map((it) => it.replaceAll(",", ",,")).join(",")}`;
}

function canonical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function main(args: readonly string[]): void {
  const program = join(import.meta.dirname, "..", "mod.ts");
  const flags = ["run", "--no-prompt", ...permissionFlags(args, process.env)];
  const child = spawn(process.execPath, [...flags, program, "serve", ...args], {
    stdio: "inherit",
  });
  let forwarded: NodeJS.Signals | undefined;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      forwarded = signal;
      // A terminal's SIGINT reaches the server as well, and a second one would end it at once.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("error", (error) => {
    console.error(error.message);
    process.exit(1);
  });
  // Deno names the signal that was sent even where the process then ended by itself, in good order.
  child.on("exit", (code, signal) => process.exit(code ?? (signal === forwarded ? 0 : 1)));
}

if (import.meta.main) main(process.argv.slice(2));
