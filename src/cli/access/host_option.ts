/**
 * `--host`: the name or the address by which others reach this machine.
 *
 * @module
 */

import { hostProblem } from "../../config/value_rules.ts";
import { parseHost } from "../../http/host_name.ts";
import { canonicalIp } from "../../http/ip_address.ts";
import { CliFailure, EXIT } from "../failure.ts";

/** `--host`, taken apart. */
export interface HostOption {
  /** In small letters, IPv6 addresses shortened and without brackets. */
  readonly name: string;
  /** Whether it is an IP address, spelled by `canonicalIp()`. */
  readonly isAddress: boolean;
  readonly port: number | null;
}

/**
 * Reads `--host`: a name or an address, maybe with a port; an IPv6 address without one may lack its
 * brackets.
 *
 * @throws {CliFailure} (usage) with what to change
 */
export function readHostOption(text: string): HostOption {
  const trimmed = text.trim();
  if (trimmed.includes("://")) {
    throw refusal(`--host has "${trimmed}": leave out the scheme, or give the URL to --advertise`);
  }
  const bare = canonicalIp(trimmed);
  if (bare !== null) return { name: bare, isAddress: true, port: null };
  const parsed = parseHost(trimmed);
  const address = parsed === null ? null : canonicalIp(parsed.name);
  if (parsed !== null && address !== null) {
    return { name: address, isAddress: true, port: portOf(parsed.port) };
  }
  if (parsed !== null && isName(parsed.name)) {
    return { name: parsed.name, isAddress: false, port: portOf(parsed.port) };
  }
  throw refusal(`--host has "${trimmed}", which is no host name and no IP address`);
}

// --- internal ---

/** Not what resolvers take for an address, such as `0`, `0x7f.1` and `127.1`. */
function isName(name: string): boolean {
  if (hostProblem(name) !== null || !URL.canParse(`http://${name}/`)) return false;
  return canonicalIp(new URL(`http://${name}/`).hostname) === null;
}

function portOf(port: number | null): number | null {
  if (port === 0) throw refusal("--host has port 0, which nobody can dial");
  return port;
}

function refusal(message: string): CliFailure {
  return new CliFailure(message, {
    hint: "Write it as 192.168.1.10, lab.tailnet.ts.net, or with a port: [fd00::10]:7878.",
    exitCode: EXIT.usage,
  });
}
