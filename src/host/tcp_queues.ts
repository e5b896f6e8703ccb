/**
 * How much the kernel holds for each TCP connection that its peer has not taken, on Linux.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { mayRead } from "./deno_permissions.ts";
import type { SocketAddress } from "./types.ts";

/** Unacknowledged bytes, by {@linkcode queueKey}. */
export type SendQueues = ReadonlyMap<string, number>;

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** Columns of the tables: number, local and remote address, state, send and receive queue. */
const LINE = /^\s*\d+: ([0-9A-F]+:[0-9A-F]{4}) ([0-9A-F]+:[0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):/;

/**
 * Reads the kernel's table of connections; `null` where there is none, or where Deno's permissions
 * hide it.
 */
export function readSendQueues(): SendQueues | null {
  const queues = new Map<string, number>();
  let read = false;
  for (const table of TABLES) {
    if (!mayRead(table)) continue;
    let text: string;
    try {
      text = readFileSync(table, "latin1");
    } catch {
      // Without IPv6 the second one is missing.
      continue;
    }
    read = true;
    for (const line of text.split("\n")) {
      const match = LINE.exec(line);
      if (match === null) continue;
      queues.set(`${match[1]} ${match[2]}`, Number.parseInt(match[3]!, 16));
    }
  }
  return read ? queues : null;
}

/** Unacknowledged bytes of one connection; `null` when the table doesn't have it. */
export function sendQueueOf(
  queues: SendQueues,
  local: SocketAddress,
  peer: SocketAddress,
): number | null {
  // An IPv4 client of an IPv6 socket is listed in mapped form.
  for (const prefix of ["", "0000000000000000FFFF0000"]) {
    const key = `${prefix}${endpointText(local)} ${prefix}${endpointText(peer)}`;
    const queue = queues.get(key);
    if (queue !== undefined) return queue;
  }
  return null;
}

/** An endpoint as the kernel prints it: 32-bit words as numbers, so little-endian bytes swapped. */
function endpointText({ address, port }: SocketAddress): string {
  const bytes = isIPv4(address) ? address.split(".").map(Number) : bytesOfIPv6(address);
  let text = "";
  for (let word = 0; word < bytes.length; word += 4) {
    for (let byte = 3; byte >= 0; byte--) text += hex(bytes[word + byte]!, 2);
  }
  return `${text}:${hex(port, 4)}`;
}

function bytesOfIPv6(address: string): number[] {
  const [front = "", back] = address.replace(/%.*$/, "").split("::");
  const words = (part: string) =>
    part === "" ? [] : part.split(":").map((word) => Number.parseInt(word, 16));
  const first = words(front);
  const last = words(back ?? "");
  const zeros = new Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0);
  return [...first, ...zeros, ...last].flatMap((word) => [word >> 8, word & 0xff]);
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}
