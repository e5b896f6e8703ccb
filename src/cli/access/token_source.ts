/**
 * Where a server's token comes from.
 *
 * @module
 */

import type { AccessOptions } from "../command.ts";
import { CliFailure, EXIT } from "../failure.ts";
import type { TokenSource } from "./access_plan.ts";

/**
 * `--token` or `--token-file`, else `HOLON_CONTROL_TOKEN`, else none. What is in the file or the
 * variable is not looked at.
 *
 * @throws {CliFailure} (usage) when both options are given, or one of them is empty
 */
export function tokenSource(
  { token, tokenFile }: Pick<AccessOptions, "token" | "tokenFile">,
  env: Readonly<Record<string, string | undefined>>,
): TokenSource | null {
  if (token !== undefined && tokenFile !== undefined) {
    throw new CliFailure("--token and --token-file both give the token: give one of them", {
      exitCode: EXIT.usage,
    });
  }
  if (tokenFile !== undefined) {
    if (tokenFile.trim() === "") throw empty("--token-file is empty");
    return { kind: "file", path: tokenFile };
  }
  if (token !== undefined) {
    if (token.trim() === "") throw empty("--token is empty, so there is no token in it");
    return { kind: "option", token: token.trim() };
  }
  return env.HOLON_CONTROL_TOKEN === undefined ? null : { kind: "environment" };
}

function empty(message: string): CliFailure {
  return new CliFailure(message, {
    hint: "Make a file with a token: (umask 077; openssl rand -hex 32 > holon.token)",
    exitCode: EXIT.usage,
  });
}
