/**
 * The rules for single values: header values, host names, origins and proxy addresses. Each gives
 * what is wrong as the end of a sentence, or `null`.
 *
 * @module
 */

import { isSegment } from "../identifiers.ts";

const MAX_HEADER_VALUE = 8192;

/**
 * A field value that every client reads alike: visible ASCII with blanks inside only (RFC 9110
 * §5.5, without obs-text). An empty one is refused, since it would be sent as no policy at all.
 */
export function headerValueProblem(value: string): string | null {
  if (value.trim() === "") return "is empty: unset it instead to send no header";
  if (value !== value.trim()) return "begins or ends with a blank";
  if (value.length > MAX_HEADER_VALUE) return `is longer than ${MAX_HEADER_VALUE} characters`;
  if (!/^[\x20-\x7e]*$/.test(value)) {
    return "has a character that is no visible ASCII (a line break, a tab, an accent)";
  }
  return null;
}

/** A host name, an IPv4 address or an IPv6 address, without a port, a scheme or a wildcard. */
export function hostProblem(value: string): string | null {
  if (value.includes("*")) return `has "${value}", but a wildcard would let in every name`;
  if (value.includes("://")) return `has "${value}": leave out the scheme`;
  if (isIpv6(unbracket(value)) || isHostName(value)) return null;
  if (/^(?:[^:]+|\[[^\]]+\]):\d+$/.test(value)) return `has "${value}": leave out the port`;
  return `has "${value}", which is no host name and no IP address`;
}

/**
 * A bare http(s) origin: scheme, host and maybe a port; no path, query, fragment, credentials or
 * wildcard (`facts/holon.md` §f.5).
 */
export function originProblem(value: string): string | null {
  const parts = /^(https?):\/\/(\[[^\]]*\]|[^:/?#@[\]]+)(?::(\d{1,5}))?$/i.exec(value);
  const port = parts?.[3];
  const host = parts?.[2];
  if (
    host !== undefined && hostProblem(host) === null &&
    (port === undefined || (Number(port) > 0 && Number(port) < 65536))
  ) return null;
  return `has "${value}", which is no bare origin: write it as https://host or ` +
    "https://host:port, without a path, a query, credentials or a wildcard";
}

/** `all`, or an agent and an app as `main/ping-card`. */
export function appProblem(value: string): string | null {
  if (value === "all") return null;
  const [agent = "", app = "", ...rest] = value.split("/");
  if (isSegment(agent) && isSegment(app) && rest.length === 0) return null;
  return `has "${value}", which is neither "all" nor an agent and an app such as main/ping-card`;
}

/** A domain that has room for an app's name before it, for other machines than this one. */
export function originDomainProblem(value: string): string | null {
  const problem = hostProblem(value);
  if (problem !== null) return problem;
  if (isIpv4(value) || isIpv6(unbracket(value))) {
    return "is an IP address, which has no names below";
  }
  if (value !== value.toLowerCase()) return "has capital letters: write it in small ones";
  if (/(?:^|\.)localhost$/.test(value)) return "is a name of this machine: unset it instead";
  return value.length > 180 ? "is longer than 180 characters" : null;
}

/** An IP address or a CIDR range. */
export function proxyProblem(value: string): string | null {
  const [address = "", prefix, ...rest] = value.split("/");
  const longest = isIpv4(address) ? 32 : isIpv6(address) ? 128 : -1;
  const prefixIsSound = prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest);
  if (longest > 0 && prefixIsSound && rest.length === 0) return null;
  return `has "${value}", which is no IP address and no range such as 10.0.0.0/8`;
}

/** The one spelling of a host: lower case, IPv6 shortened and in brackets. */
export function canonicalHost(value: string): string {
  const address = unbracket(value);
  return isIpv6(address) ? new URL(`http://[${address}]/`).hostname : value.toLowerCase();
}

/** The one spelling of an origin, as browsers send it. */
export function canonicalOrigin(value: string): string {
  return new URL(value).origin;
}

function isHostName(value: string): boolean {
  if (value.length > 253 || !/^[A-Za-z0-9._-]+$/.test(value)) return false;
  if (/^[0-9.]+$/.test(value)) return isIpv4(value);
  return value.split(".").every((label) => /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62})$/.test(label));
}

function isIpv4(value: string): boolean {
  const parts = value.split(".");
  return parts.length === 4 &&
    parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}

function isIpv6(value: string): boolean {
  return /^[0-9A-Fa-f:.]+$/.test(value) && value.includes(":") &&
    URL.canParse(`http://[${value}]/`);
}

function unbracket(value: string): string {
  return value.startsWith("[") && value.endsWith("]") ? value.slice(1, -1) : value;
}
