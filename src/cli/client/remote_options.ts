/**
 * The options that lead to a server on another machine: `--connect` and one of the three tokens.
 *
 * @module
 */

import { CliFailure, EXIT } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { checkToken, readTokenFile } from "../token.ts";
import { readClientUrl } from "../access/client_url.ts";
import { profileStore } from "./profile_store.ts";

/** What the command line says of the server that is meant. */
export interface RemoteOptions {
  readonly connect?: string | undefined;
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly tokenProfile?: string | undefined;
}

/** A server on another machine. */
export interface RemoteTarget {
  readonly url: string;
  readonly token: string;
}

/**
 * Where a command goes; `null` for the server of this machine's home. Nothing is dialled, and no
 * credential is looked for beyond the one that was named.
 *
 * @throws {CliFailure} with exit code 2 when the options don't fit together
 */
export async function remoteTarget(
  options: RemoteOptions,
  io: CliIo,
): Promise<RemoteTarget | null> {
  const { connect, token, tokenFile, tokenProfile } = options;
  const given = [
    ...(token === undefined ? [] : ["--token"]),
    ...(tokenFile === undefined ? [] : ["--token-file"]),
    ...(tokenProfile === undefined ? [] : ["--token-profile"]),
  ];
  if (given.length > 1) {
    throw usage(`${given.join(" and ")} exclude each other`, "Give exactly one of them.");
  }
  const url = connect === undefined ? undefined : readClientUrl(connect, "--connect").url;
  if (tokenProfile !== undefined) return await profileTarget(io, tokenProfile, url);
  if (url === undefined) {
    if (given.length === 0) return null;
    throw usage(
      `${given[0]} is for a server elsewhere, and --connect is missing`,
      "Add --connect URL; the server of this machine needs no token.",
    );
  }
  if (tokenFile === "") throw usage("--token-file is empty", "Give the file with the token.");
  if (tokenFile !== undefined) return { url, token: await readTokenFile(io, tokenFile) };
  if (token !== undefined) return { url, token: checkToken(token, "--token") };
  throw usage(
    "--connect needs a token",
    "Give exactly one of --token-file FILE, --token-profile NAME and --token TOKEN.",
  );
}

// --- internal ---

/** A profile leads to its own address; another path of the same origin may be named. */
async function profileTarget(
  io: CliIo,
  name: string,
  url: string | undefined,
): Promise<RemoteTarget> {
  const profile = await profileStore(io).read(name);
  const bound = readClientUrl(profile.connect, `the address of the profile ${name}`).url;
  if (url !== undefined && new URL(url).origin !== new URL(bound).origin) {
    throw usage(
      `the profile ${name} is for ${bound}, so its token is not sent to ${url}`,
      "Leave --connect out, or make a profile for that address.",
    );
  }
  return { url: url ?? bound, token: profile.token };
}

function usage(sentence: string, hint: string): CliFailure {
  return new CliFailure(sentence, { hint, exitCode: EXIT.usage });
}
