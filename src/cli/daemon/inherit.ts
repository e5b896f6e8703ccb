/**
 * Which options a restarted daemon gets: those of its last start, but for what is given now
 * (`facts/holon.md` §h.1).
 *
 * @module
 */

import type { AccessOptions } from "../command.ts";
import type { DaemonRecord, KeptOptions } from "./state_files.ts";

/** Options as they are given: those kept, and maybe a token. */
export type GivenOptions = KeptOptions & Pick<AccessOptions, "token">;

/**
 * Lays what is given over what was kept. What is given displaces what it contradicts:
 *
 * - `--access`, `--host`, `--listen` or `--port` a kept `--advertise`, which told of another place;
 * - `--listen` and `--port` each other;
 * - `--access` and `--host` the address of a kept `--listen`, whose port stays: nothing is to be
 *   open that was not asked for;
 * - `--access local` and `tunnel` a kept `--host`;
 * - `--token` and `--token-file` each other.
 */
export function inheritOptions(kept: KeptOptions, given: GivenOptions): GivenOptions {
  const base: { -readonly [Name in keyof GivenOptions]: GivenOptions[Name] } = { ...kept };
  const { access, host, listen, port, token, tokenFile } = given;
  const isPlaced = [access, host, listen, port].some((value) => value !== undefined);
  if (isPlaced) base.advertise = undefined;
  if (access !== undefined || host !== undefined) {
    base.port ??= base.listen === undefined ? undefined : portOf(base.listen);
    base.listen = undefined;
  }
  if (access === "local" || access === "tunnel") base.host = undefined;
  if (host !== undefined && /:\d+$/.test(host) && portOf(host) !== undefined) base.port = undefined;
  if (port !== undefined) {
    base.listen = undefined;
    base.host = withoutPort(base.host);
  }
  if (listen !== undefined) base.port = undefined;
  if (token !== undefined) base.tokenFile = undefined;
  if (tokenFile !== undefined) base.token = undefined;
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(said) };
}

/**
 * Whether the last start had a token that no file holds, and none is there now: a restart without
 * one would let everybody on this machine in.
 */
export function lacksToken(
  record: Pick<DaemonRecord, "control_token_env_configured">,
  options: GivenOptions,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return record.control_token_env_configured && options.token === undefined &&
    options.tokenFile === undefined && env.HOLON_CONTROL_TOKEN === undefined;
}

/** The port behind an address or a name; `undefined` for an IPv6 address without brackets. */
function portOf(text: string): number | undefined {
  const match = /^(?:\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(text.trim());
  return match === null ? undefined : Number(match[1]);
}

function withoutPort(host: string | undefined): string | undefined {
  if (host === undefined || portOf(host) === undefined) return host;
  return host.trim().replace(/:\d+$/, "");
}
