/**
 * Narrows "every address" down to those that a name stands for: whoever opens a server to a
 * tailnet has not opened it to the network beside.
 *
 * @module
 */

import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { isLoopbackAddress } from "../../http/host_name.ts";
import { canonicalIp } from "../../http/ip_address.ts";
import { type TcpAddress, tcpAddress } from "../listen_address.ts";
import type { AccessPlan } from "./access_plan.ts";
import { besides } from "./resolve_access.ts";

/** A resolver without an answer in this time, in ms, is not waited for. */
const LOOKUP_MS = 2_000;

/** What the machine knows of names and of itself. */
export interface Network {
  /** The addresses of a name; none where it has none, or nobody answers in time. */
  lookup(name: string): Promise<readonly string[]>;
  /** The addresses of this machine; none where it doesn't tell. */
  own(): readonly string[];
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
  const own = new Set(network.own().map(canonicalIp));
  const found = (await network.lookup(name)).map(canonicalIp);
  const [first, ...more] = new Set(
    found.filter((it) => it !== null && own.has(it) && !isLoopbackAddress(it)),
  ) as Set<string>;
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
  own() {
    try {
      return Object.values(networkInterfaces()).flatMap((it) => it ?? []).map((it) => it.address);
    } catch {
      // Deno without --allow-sys.
      return [];
    }
  },
};
