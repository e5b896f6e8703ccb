/**
 * The token that `holon serve` asks for: from a file, from the environment or from an option.
 *
 * @module
 */

import { dirname, isAbsolute, resolve } from "node:path";
import { HostError } from "../host/types.ts";
import type { TokenSource } from "./access/access_plan.ts";
import { CliFailure, hostErrorWords } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { shellQuote } from "./shell_quote.ts";

const MAX_BYTES = 4096;
const MIN_LENGTH = 16;

/** What to tell of a token that {@linkcode isShortToken} finds. */
export const SHORT_TOKEN: string =
  `short token: fewer than ${MIN_LENGTH} characters can be guessed; make one with: openssl rand -hex 32`;

/** Whether a token is so short that it can be guessed. */
export function isShortToken(token: string): boolean {
  return token.length < MIN_LENGTH;
}

/** What to tell of a token on the command line. */
export const SHOWN_TOKEN: string =
  "--token can be seen by other users of this machine, for as long as the server runs: " +
  "put it into a file, and give --token-file FILE";

/**
 * Reads the token.
 *
 * @throws {CliFailure} when there is one that can't be used; the token itself is never named
 */
export async function readToken(io: CliIo, source: TokenSource | null): Promise<string | null> {
  switch (source?.kind) {
    case undefined:
      return null;
    case "file":
      return await readTokenFile(io, source.path);
    case "option":
      return checkToken(source.token, "--token");
    case "environment":
      return checkToken(io.env.HOLON_CONTROL_TOKEN ?? "", "HOLON_CONTROL_TOKEN");
  }
}

/**
 * Reads a file that has a token in it, and nothing else: a regular file of at most 4 KiB that
 * nobody else may read.
 *
 * @throws {CliFailure} with what mends it
 */
export async function readTokenFile(io: CliIo, file: string): Promise<string> {
  const path = isAbsolute(file) ? file : resolve(io.cwd, file);
  const { files } = io.host;
  try {
    const { kind, mode } = await files.stat(path);
    if (kind === "directory") throw new CliFailure(`the token file ${path} is a directory`);
    if (kind !== "file") throw new CliFailure(`the token file ${path} is no regular file`);
    if ((mode & 0o077) !== 0) {
      throw new CliFailure(`the token file ${path} can be read by others`, {
        hint: `Run: chmod 600 ${shellQuote(path)}`,
      });
    }
    const bytes = await files.read(path, MAX_BYTES);
    return checkToken(new TextDecoder().decode(bytes), `the token file ${path}`);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const hint = error.code === "not_found" ? await makingHint(io, path) : undefined;
    throw new CliFailure(
      `the token file ${path} can't be read: ${hostErrorWords(error)}`,
      { ...(hint === undefined ? {} : { hint }), cause: error },
    );
  }
}

/** How to make the file, and its folder where that is missing too. */
async function makingHint(io: CliIo, path: string): Promise<string> {
  const make = `(umask 077; openssl rand -hex 32 > ${shellQuote(path)})`;
  const folder = dirname(path);
  try {
    await io.host.files.stat(folder);
    return `Make one: ${make}`;
  } catch {
    return `Make one: mkdir -p ${shellQuote(folder)} && ${make}`;
  }
}

/**
 * A token without what surrounds it; it has to fit into a header, where blanks and line breaks
 * don't (RFC 6750 §2.1).
 *
 * @param source where it comes from, for the sentence
 * @throws {CliFailure} when it can't be used
 */
export function checkToken(value: string, source: string): string {
  const token = value.trim();
  if (token === "") {
    throw new CliFailure(`${source} is empty, so there is no token in it`, {
      hint: "A token is one line, e.g. from `openssl rand -hex 32`.",
    });
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new CliFailure(`${source} has a blank, a line break or an accent inside the token`, {
      hint: "Use one line of letters and digits, e.g. from `openssl rand -hex 32`.",
    });
  }
  return token;
}
