/**
 * Addresses that `holon serve` listens on.
 *
 * @module
 */

import { isLoopbackAddress } from "../http/host_name.ts";
import { canonicalIp, isWildcardIp } from "../http/ip_address.ts";
import type { AccessOptions } from "./command.ts";
import { CliFailure, EXIT } from "./failure.ts";

/** The port where none is given. */
export const DEFAULT_PORT = 7878;

/** A TCP address to listen on. */
export interface TcpAddress {
  readonly transport: "tcp";
  /** An IP address without brackets, spelled by `canonicalIp()`. */
  readonly host: string;
  readonly port: number;
}

/**
 * `--listen`, else `--port` on 127.0.0.1, else `HOLON_HTTP_ADDR`, else 127.0.0.1:7878.
 *
 * @throws {CliFailure} when it is no address
 */
export function listenAddress(
  command: Pick<AccessOptions, "listen" | "port">,
  env: Readonly<Record<string, string | undefined>>,
): TcpAddress {
  if (command.listen !== undefined && command.port !== undefined) {
    throw new CliFailure("--listen and --port both say where to listen: give one of them", {
      exitCode: EXIT.usage,
    });
  }
  if (command.listen !== undefined) return parseAddress(command.listen, "--listen");
  if (command.port !== undefined) return tcpAddress("127.0.0.1", command.port);
  const fromEnv = env.HOLON_HTTP_ADDR;
  return fromEnv === undefined || fromEnv === ""
    ? tcpAddress("127.0.0.1", DEFAULT_PORT)
    : parseAddress(fromEnv, "HOLON_HTTP_ADDR");
}

/** An address of its parts. */
export function tcpAddress(host: string, port: number): TcpAddress {
  return { transport: "tcp", host, port };
}

/** Whether only this machine can reach the address. */
export function isLoopback(address: TcpAddress): boolean {
  return isLoopbackAddress(address.host);
}

/** Whether it stands for every address of this machine. */
export function isWildcard(address: TcpAddress): boolean {
  return isWildcardIp(address.host);
}

/** The address as an origin that a browser on this machine can open. */
export function originOf(address: TcpAddress): string {
  const host = address.host === "0.0.0.0"
    ? "127.0.0.1"
    : address.host === "::"
    ? "::1"
    : address.host;
  return `http://${hostAndPort(host, address.port)}`;
}

/** The address as `host:port`. */
export function addressText({ host, port }: TcpAddress): string {
  return hostAndPort(host, port);
}

/** A name or an address with a port, as it stands in a URL: IPv6 in brackets. */
export function hostAndPort(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function parseAddress(text: string, source: string): TcpAddress {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s/]+)):(\d{1,5})$/i.exec(text.trim());
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port > 65_535) {
    throw new CliFailure(`${source} has "${text}", which is no address with a port`, {
      hint: "Write it as 127.0.0.1:7878 or [::1]:7878; port 0 takes any free one.",
      exitCode: EXIT.usage,
    });
  }
  // `localhost` may mean ::1 first, and exactly one address is listened on.
  const address = host.toLowerCase() === "localhost" ? "127.0.0.1" : canonicalIp(host);
  if (address !== null) return tcpAddress(address, port);
  throw new CliFailure(`${source} has the name "${host}", but listening needs an IP address`, {
    hint: "Give the address of a network card, such as 127.0.0.1.",
    exitCode: EXIT.usage,
  });
}
