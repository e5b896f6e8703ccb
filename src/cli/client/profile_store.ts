/**
 * Profiles: the address and the token of a server by name, in files of the person's own.
 *
 * @module
 */

import { dirname, isAbsolute, join } from "node:path";
import { HostError, type HostFiles } from "../../host/types.ts";
import { CliFailure, EXIT, hostErrorWords } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { shellQuote } from "../shell_quote.ts";

const MAX_BYTES = 16 * 1024;
const MAX_PROFILES = 1_000;
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/;

/** A server that a person reaches by name. */
export interface Profile {
  readonly name: string;
  /** As `readClientUrl()` gives it; the token goes to its origin alone. */
  readonly connect: string;
  readonly token: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
}

/** A profile in a listing: without its token, or with what is wrong with its file. */
export type ProfileEntry =
  | { readonly name: string; readonly profile: Omit<Profile, "token">; readonly problem: null }
  | { readonly name: string; readonly profile: null; readonly problem: string };

/** A person's profiles. Every method throws a {@linkcode CliFailure} when a file can't be used. */
export interface ProfileStore {
  /** Writes a profile; `replace` lets it take the place of one with that name. */
  add(profile: Profile, replace: boolean): Promise<void>;
  /** Reads one; refuses a file that others can read. */
  read(name: string): Promise<Profile>;
  /** All, by name; tells of broken ones. */
  list(): Promise<readonly ProfileEntry[]>;
  /** Removes one; `false` where there was none. */
  remove(name: string): Promise<boolean>;
}

/**
 * The profiles below `XDG_CONFIG_HOME`, else `~/.config`.
 *
 * @throws {CliFailure} when the environment doesn't say where that is
 */
export function profileStore(io: CliIo): ProfileStore {
  const { files } = io.host;
  const folder = join(configFolder(io), "profiles");
  const pathOf = (name: string): string => join(folder, `${requireName(name)}.json`);

  async function read(name: string): Promise<Profile> {
    const path = pathOf(name);
    try {
      await requirePrivate(files, folder, path);
      return parse(name, path, await files.read(path, MAX_BYTES));
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      if (error.code === "not_found") {
        throw new CliFailure(`there is no profile ${name}`, {
          hint: `\`holon profile list\` shows them; \`holon profile add ${name} --connect URL ` +
            "--token-file FILE` makes one.",
        });
      }
      throw unusable(path, error);
    }
  }

  return {
    read,
    async add(profile, replace) {
      const path = pathOf(profile.name);
      const { name, connect, token, createdAt } = profile;
      const text = JSON.stringify({ name, connect, token, created_at: createdAt }, null, 2);
      const bytes = new TextEncoder().encode(`${text}\n`);
      try {
        await files.makeDirectory(folder, 0o700);
        if (replace) await files.replace(path, bytes, 0o600);
        else await files.create(path, bytes, 0o600);
      } catch (error) {
        if (!(error instanceof HostError)) throw error;
        if (error.code === "already_exists") {
          throw new CliFailure(`there is a profile ${name} already`, {
            hint: `Give --replace to put this one in its place, or remove it: ` +
              `holon profile remove ${name}`,
          });
        }
        throw unusable(path, error);
      }
    },
    async list() {
      const names = await namesIn(files, folder);
      return await Promise.all(names.map(async (name): Promise<ProfileEntry> => {
        try {
          const { token: _token, ...profile } = await read(name);
          return { name, profile, problem: null };
        } catch (error) {
          if (!(error instanceof CliFailure)) throw error;
          const { message, hint } = error;
          return {
            name,
            profile: null,
            problem: hint === undefined ? message : `${message}. ${hint}`,
          };
        }
      }));
    },
    async remove(name) {
      const path = pathOf(name);
      try {
        await files.lstat(path);
        await files.remove(path);
        return true;
      } catch (error) {
        if (!(error instanceof HostError)) throw error;
        if (error.code === "not_found") return false;
        throw unusable(path, error);
      }
    },
  };
}

// --- internal ---

function configFolder({ env }: CliIo): string {
  const base = env.XDG_CONFIG_HOME;
  // A relative one counts as none (XDG Base Directory Specification).
  if (base !== undefined && isAbsolute(base)) return join(base, "holon");
  const user = env.HOME ?? env.USERPROFILE;
  if (user !== undefined && isAbsolute(user)) return join(user, ".config", "holon");
  throw new CliFailure(
    "there is no HOME in the environment, so it is not known where profiles are",
    {
      hint: "Set HOME or XDG_CONFIG_HOME.",
    },
  );
}

function requireName(name: string): string {
  if (NAME.test(name)) return name;
  throw new CliFailure(`${JSON.stringify(name.slice(0, 80))} can't be the name of a profile`, {
    hint: 'Use 1 to 64 letters, digits, "-", "_" and "."; no "." at the beginning.',
    exitCode: EXIT.usage,
  });
}

/** A token that others can read, or whose folder others can write to, is not used. */
async function requirePrivate(files: HostFiles, folder: string, path: string): Promise<void> {
  const { kind, mode } = await files.stat(path);
  if (kind !== "file") throw new CliFailure(`the profile's file ${path} is no regular file`);
  if ((mode & 0o077) !== 0) {
    throw new CliFailure(`the profile's file ${path} can be read by others`, {
      hint: `Its token may be known: get a new one. To use it nevertheless: chmod 600 ${
        shellQuote(path)
      }`,
    });
  }
  for (const above of [folder, dirname(folder)]) {
    if (((await files.stat(above)).mode & 0o022) === 0) continue;
    throw new CliFailure(`others can write to ${above}, where the profiles are`, {
      hint: `Run: chmod 700 ${shellQuote(above)}`,
    });
  }
}

function parse(name: string, path: string, bytes: Uint8Array): Profile {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) ?? {};
  } catch (cause) {
    throw broken(name, path, cause);
  }
  const { connect, token, created_at } = value;
  if (typeof connect !== "string" || typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) {
    throw broken(name, path);
  }
  return { name, connect, token, createdAt: typeof created_at === "string" ? created_at : "" };
}

function broken(name: string, path: string, cause?: unknown): CliFailure {
  return new CliFailure(`the profile's file ${path} is not sound`, {
    hint: `Make it anew: holon profile add ${name} --replace --connect URL --token-file FILE`,
    cause,
  });
}

async function namesIn(files: HostFiles, folder: string): Promise<readonly string[]> {
  try {
    const entries = await files.list(folder, MAX_PROFILES);
    return entries.map(({ name }) => name)
      .filter((name) => name.endsWith(".json"))
      .map((name) => name.slice(0, -".json".length))
      .filter((name) => NAME.test(name))
      .sort();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.code === "not_found") return [];
    throw unusable(folder, error);
  }
}

function unusable(path: string, error: HostError): CliFailure {
  return new CliFailure(`${path} can't be used: ${hostErrorWords(error)}`, { cause: error });
}
