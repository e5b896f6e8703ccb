/**
 * Narrows "every address" down to those that a name stands for: whoever opens a server to a
 * tailnet has not opened it to the network beside.
 *
 * @module
 */

import { lookup } from "node:dns/promises";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { isLoopbackAddress } from "../../http/host_name.ts";
import { canonicalIp, isWildcardIp } from "../../http/ip_address.ts";
import { type TcpAddress, tcpAddress } from "../listen_address.ts";
import type { AccessPlan } from "./access_plan.ts";
import { besides } from "./resolve_access.ts";

/** A resolver without an answer in this time, in ms, is not waited for. */
const LOOKUP_MS = 2_000;

/** Addresses of a name that are listened on. */
const MAX_ADDRESSES = 8;

/** What the machine knows of names and of itself. */
export interface Network {
  /** The addresses of a name; none where it has none, or nobody answers in time. */
  lookup(name: string): Promise<readonly string[]>;
  /** Whether an address is one of this machine's. */
  isOwn(address: string): Promise<boolean>;
}

/** Where to listen, and what an operator should know of that. */
export interface ListenChoice {
  readonly listen: readonly [TcpAddress, ...TcpAddress[]];
  readonly notice: string | null;
}

/** The addresses of a plan; where it has a name, those of this machine that the name stands for. */
export async function chooseAddresses(
  { listen, listenName: name }: AccessPlan,
  network: Network = SYSTEM,
): Promise<ListenChoice> {
  if (name === null) return { listen, notice: null };
  const { port } = listen[0];
  const own: string[] = [];
  for (const address of new Set((await network.lookup(name)).map(canonicalIp))) {
    if (address === null || isLoopbackAddress(address) || isWildcardIp(address)) continue;
    if (own.length < MAX_ADDRESSES && await network.isOwn(address)) own.push(address);
  }
  const [first, ...more] = own;
  if (first === undefined) {
    return {
      listen,
      notice: `${name} stands for no address of this machine now, so Holon listens on all of ` +
        "them; to choose one, add --listen ADDRESS:PORT",
    };
  }
  const main = tcpAddress(first, port);
  const others = more.map((address) => tcpAddress(address, port));
  return { listen: [main, ...others, ...besides(main)], notice: null };
}

// --- internal ---

const SYSTEM: Network = {
  async lookup(name) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const none = new Promise<readonly string[]>((resolve) => {
      timer = setTimeout(() => resolve([]), LOOKUP_MS);
    });
    const found = lookup(name, { all: true }).then(
      (addresses) => addresses.map(({ address }) => address),
      () => [],
    );
    const first = await Promise.race([found, none]);
    clearTimeout(timer);
    return first;
  },
  isOwn: (address) => ownAddresses().has(address) ? Promise.resolve(true) : canBind(address),
};

function ownAddresses(): ReadonlySet<string | null> {
  try {
    const all = Object.values(networkInterfaces()).flatMap((it) => it ?? []);
    return new Set(all.map(({ address }) => canonicalIp(address)));
  } catch {
    // Deno without --allow-sys.
    return new Set();
  }
}

/** Node.js and Bun list no address of an interface that has no carrier. */
function canBind(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    try {
      server.listen({ host, port: 0, exclusive: true }, () => server.close(() => resolve(true)));
    } catch {
      resolve(false);
    }
  });
}
