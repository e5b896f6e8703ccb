/**
 * What `holon serve` says once it accepts connections.
 *
 * @module
 */

import type { Reach } from "../../config/reach.ts";
import { isLoopbackName } from "../../http/host_name.ts";
import { originOf, type TcpAddress } from "../listen_address.ts";

/** What the lines are made of. */
export interface ReadyFacts {
  readonly reach: Reach;
  /** Addresses that were taken, the main one first. */
  readonly bound: readonly [TcpAddress, ...TcpAddress[]];
  /** The machine's name, as others log in to it. */
  readonly machine: string;
  readonly hasToken: boolean;
}

/**
 * The lines: where it listens, and what to do on another machine where others are to come. The
 * first one is for programs that wait for it.
 */
export function readyLines(facts: ReadyFacts): readonly string[] {
  const [main, ...others] = facts.bound;
  return [
    `holon listening on ${originOf(main)}`,
    ...others.map((address) => `  and on ${originOf(address)}`),
    ...clientLines(facts, main),
  ];
}

// --- internal ---

function clientLines({ reach, machine, hasToken }: ReadyFacts, main: TcpAddress): string[] {
  const url = reach.advertise_url;
  if (reach.access === "tunnel") {
    const own = originOf(main).slice("http://".length);
    const local = url ?? `http://127.0.0.1:${main.port}`;
    const { hostname, port } = new URL(local);
    // Where something else is advertised, it isn't ssh that answers there.
    const forwarded = isLoopbackName(hostname) && port !== "" ? port : main.port;
    return [
      `  elsewhere, first: ssh -N -L ${forwarded}:${own} ${machine}`,
      ...openLines(local, hasToken),
    ];
  }
  return url === null ? [] : openLines(url, hasToken);
}

function openLines(url: string, hasToken: boolean): string[] {
  return [
    `  elsewhere, in a browser: ${url}`,
    // A command that connects elsewhere asks for a token in any case.
    ...(hasToken ? [`  elsewhere, in a shell: holon tui --connect ${url} --token-file FILE`] : []),
  ];
}
