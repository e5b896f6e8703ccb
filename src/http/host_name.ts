/**
 * Names and ports out of Host headers and origins.
 *
 * @module
 */

import { canonicalIp } from "./ip_address.ts";

/** A host and its port; `port` is `null` where none is given. */
export interface HostAndPort {
  /** Lower case, without a trailing dot; IPv6 addresses shortened and without brackets. */
  readonly name: string;
  readonly port: number | null;
}

/** Splits a Host header's value; `null` when it is not one (RFC 9110 §7.2). */
export function parseHost(value: string): HostAndPort | null {
  let host = parsed.get(value);
  if (host === undefined) {
    host = parse(value);
    if (parsed.size >= MAX_PARSED) parsed.clear();
    if (value.length <= MAX_KEPT) parsed.set(value, host);
  }
  return host;
}

/** Nearly all requests name the same few hosts. */
const parsed = new Map<string, HostAndPort | null>();
const MAX_PARSED = 64;
const MAX_KEPT = 256;

function parse(value: string): HostAndPort | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/?#@\\\s]+))(?::(\d{1,5}))?$/i.exec(value.trim());
  if (match === null) return null;
  const address = match[1] === undefined ? null : canonicalIp(match[1]);
  const name = (address ?? match[1] ?? match[2] ?? "").toLowerCase().replace(/\.$/, "");
  const port = match[3] === undefined ? null : Number(match[3]);
  if (name === "" || (port !== null && port > 65_535)) return null;
  return { name, port };
}

/** Whether a name can only mean this machine. */
export function isLoopbackName(name: string): boolean {
  return name === "localhost" || isLoopbackAddress(name);
}

/** Whether an IP address (in text) is a loopback one. */
export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || /^127(\.\d{1,3}){3}$/.test(address);
}

/** Whether a name is an IP address rather than a DNS name. */
export function isIpAddress(name: string): boolean {
  return name.includes(":") || /^\d{1,3}(\.\d{1,3}){3}$/.test(name);
}
