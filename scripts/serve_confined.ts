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
import { networkInterfaces } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { resolveAccess } from "../src/cli/access/resolve_access.ts";
import { ACCESS_MODES, type AccessOptions } from "../src/cli/command.ts";
import { CliFailure } from "../src/cli/failure.ts";
import { addressText, hostAndPort } from "../src/cli/listen_address.ts";
import { canonicalIp } from "../src/http/ip_address.ts";

/** The permissions, as Deno's flags, that `mod.ts serve` needs for these arguments. */
export function permissionFlags(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const { values } = parseArgs({
    args: [...args],
    strict: false,
    options: {
      "access": { type: "string" },
      "home": { type: "string" },
      "host": { type: "string" },
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
  const addresses = addressesOf({
    access: ACCESS_MODES.find((mode) => mode === text("access")),
    host: text("host"),
    listen: text("listen"),
    port: port === undefined ? undefined : Number(port),
    // Whether there is one, and that others may come only with one, is for the server to say.
    token: "any",
    advertise: "http://localhost",
  }, env);
  const sockets = homes.map((it) => `unix:${join(it, "run", "holon.sock")}`);
  return [
    flag("read", [...homes, ...(token === undefined ? [] : [resolve(token)]), "/proc"]),
    flag("write", homes),
    flag("net", [...addresses, ...sockets]),
    "--allow-env",
    "--allow-sys",
    // A runner's command is the operator's to choose.
    "--allow-run",
  ];
}

/** Where the server listens with these options; nowhere, if it is to refuse them. */
function addressesOf(
  options: AccessOptions,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  try {
    const { listen, listenName } = resolveAccess(options, env);
    if (listenName === null) return listen.map(addressText);
    // It is looked up, and listened on at those of its addresses that are this machine's.
    const own = Object.values(networkInterfaces()).flatMap((it) => it ?? []);
    const { port } = listen[0];
    const narrowed = [...own.map(({ address }) => address), "127.0.0.1"]
      .flatMap((address) => canonicalIp(address) ?? [])
      .map((address) => hostAndPort(address, port));
    return [...new Set([...listen.map(addressText), ...narrowed]), listenName];
  } catch (error) {
    if (error instanceof CliFailure) return [];
    throw error;
  }
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
