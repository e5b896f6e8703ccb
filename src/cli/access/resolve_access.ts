/**
 * Decides how a server is reached, out of its options and its environment alone: nothing is read,
 * looked up, bound or started here, so that `daemon start` decides as `serve` does.
 *
 * @module
 */

import type { AccessMode, AccessOptions } from "../command.ts";
import { CliFailure, EXIT } from "../failure.ts";
import {
  addressText,
  DEFAULT_PORT,
  hostAndPort,
  isLoopback,
  isWildcard,
  listenAddress,
  type TcpAddress,
  tcpAddress,
} from "../listen_address.ts";
import type { AccessPlan, Advertised } from "./access_plan.ts";
import { readClientUrl } from "./client_url.ts";
import { type HostOption, readHostOption } from "./host_option.ts";
import { tokenSource } from "./token_source.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Decides (`contracts/holon-remote-tui-access.md`, `facts/holon.md` §f.6).
 *
 * @throws {CliFailure} (usage) that says what to change
 */
export function resolveAccess(options: AccessOptions, env: Environment): AccessPlan {
  const access = options.access ?? "local";
  const token = tokenSource(options, env);
  const host = readHost(options, access);
  const main = mainAddress(options, access, host, env);
  requireReach(options, access, main);
  const advertise = advertisedOf(options, access, host, main);
  const callbackBaseUrl = callbackOf(options, env);
  if (token === null) requireNoToken(access, main, advertise);
  return {
    access,
    listen: [main, ...besides(main)],
    listenName: isRemote(access) && options.listen === undefined && host?.isAddress === false
      ? host.name
      : null,
    advertise,
    callbackBaseUrl,
    token,
  };
}

/**
 * The other addresses to listen on: this machine's own programs, and commands on it, find the
 * server at 127.0.0.1 also where it listens on one address of a network.
 */
export function besides(main: TcpAddress): readonly TcpAddress[] {
  return isLoopback(main) || isWildcard(main) ? [] : [tcpAddress("127.0.0.1", main.port)];
}

/** What is advertised, once the port is known. */
export function advertisedUrl(advertise: Advertised | null, port: number): string | null {
  if (advertise === null) return null;
  return advertise.kind === "url" ? advertise.url : `http://${hostAndPort(advertise.host, port)}`;
}

// --- internal ---

/** Whether a mode is there to let other machines in. */
function isRemote(access: AccessMode): boolean {
  return access === "lan" || access === "tailnet";
}

function readHost({ host }: AccessOptions, access: AccessMode): HostOption | null {
  if (host === undefined) return null;
  if (isRemote(access)) return readHostOption(host);
  throw refusal(
    `--host is for --access lan and --access tailnet, and this is --access ${access}`,
    "Leave it out, or choose one of those; --advertise URL says where a proxy answers.",
  );
}

function mainAddress(
  options: AccessOptions,
  access: AccessMode,
  host: HostOption | null,
  env: Environment,
): TcpAddress {
  if (options.listen !== undefined || !isRemote(access)) {
    return listenAddress(options, env);
  }
  if (host !== null && host.port !== null && options.port !== undefined) {
    throw refusal("--host has a port, and --port gives one too", "Give one of them.");
  }
  const port = host?.port ?? options.port ?? portOfEnvironment(env);
  return tcpAddress(host?.isAddress === true ? host.name : "0.0.0.0", port);
}

/** In these modes the environment's address is not meant, but its port may be. */
function portOfEnvironment(env: Environment): number {
  return (env.HOLON_HTTP_ADDR ?? "") === "" ? DEFAULT_PORT : listenAddress({}, env).port;
}

/** Refuses an address that others reach in a mode that promises that they don't. */
function requireReach(options: AccessOptions, access: AccessMode, main: TcpAddress): void {
  if (isLoopback(main)) return;
  if (access === "tunnel") {
    throw refusal(
      `--access tunnel stays on this machine, and ${addressText(main)} is reached by others`,
      "Listen on 127.0.0.1 and let ssh -L forward it, or choose --access lan.",
    );
  }
  if (options.access === "local") {
    throw refusal(
      `--access local stays on this machine, and ${addressText(main)} is reached by others`,
      "Listen on 127.0.0.1, or choose --access lan or --access tailnet.",
    );
  }
}

function advertisedOf(
  options: AccessOptions,
  access: AccessMode,
  host: HostOption | null,
  main: TcpAddress,
): Advertised | null {
  if (options.advertise !== undefined) {
    return { kind: "url", ...readClientUrl(options.advertise, "--advertise") };
  }
  if (!isRemote(access)) return null;
  if (host === null) {
    throw refusal(
      `--access ${access} needs the name or the address by which others reach this machine`,
      `Give it: --host ${access === "lan" ? "192.168.1.10" : "lab.tailnet.ts.net"}, or a whole ` +
        "URL with --advertise.",
    );
  }
  const port = host.port ?? main.port;
  // Read for its refusals; port 0 stands for one that is not known yet.
  readClientUrl(`http://${hostAndPort(host.name, port === 0 ? DEFAULT_PORT : port)}`, "--host");
  return host.port === null ? { kind: "host", host: host.name } : {
    kind: "url",
    host: host.name,
    url: `http://${hostAndPort(host.name, host.port)}`,
  };
}

function callbackOf(options: AccessOptions, env: Environment): string | null {
  if (options.callbackBaseUrl !== undefined) {
    return readClientUrl(options.callbackBaseUrl, "--callback-base-url").url;
  }
  const fromEnv = env.HOLON_CALLBACK_BASE_URL;
  return fromEnv === undefined || fromEnv === ""
    ? null
    : readClientUrl(fromEnv, "HOLON_CALLBACK_BASE_URL").url;
}

/** Refuses whatever lets others in, for want of a token. */
function requireNoToken(
  access: AccessMode,
  main: TcpAddress,
  advertise: Advertised | null,
): void {
  if (isRemote(access)) {
    throw tokenRefusal(`--access ${access} needs a token`, "Others reach this server then");
  }
  if (!isLoopback(main)) {
    throw tokenRefusal(
      `listening on ${addressText(main)} needs a token`,
      "Others reach that address",
    );
  }
  if (advertise !== null) {
    throw tokenRefusal("--advertise needs a token", "It is for others to come by");
  }
}

function tokenRefusal(message: string, why: string): CliFailure {
  return refusal(message, `${why}: give --token-file FILE, or set HOLON_CONTROL_TOKEN.`);
}

function refusal(message: string, hint: string): CliFailure {
  return new CliFailure(message, { hint, exitCode: EXIT.usage });
}
