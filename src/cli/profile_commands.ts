/**
 * `holon profile add | list | remove`.
 *
 * @module
 */

import { readClientUrl } from "./access/client_url.ts";
import { profileStore } from "./client/profile_store.ts";
import type { PlainCommand, ProfileAddCommand, ProfileRemoveCommand } from "./command.ts";
import { CliFailure, EXIT } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { paintFor, printable, printJson, printTable } from "./output.ts";
import { readTokenFile } from "./token.ts";

/** Keeps the address and the token of a server under a name; nothing is dialled. */
export async function profileAdd(command: ProfileAddCommand, io: CliIo): Promise<number> {
  const { name } = command;
  const connect = readClientUrl(command.connect, "--connect").url;
  const token = await readTokenFile(io, command.tokenFile);
  const createdAt = new Date(io.host.clock.now()).toISOString();
  await profileStore(io).add({ name, connect, token, createdAt }, command.replace);
  if (command.json) {
    printJson(io, { name, connect, created_at: createdAt });
  } else if (!command.quiet) {
    io.out(`Kept ${connect} as ${name}; its token goes there alone\n`);
    io.err(`holon: try it: holon agents list --token-profile ${name}\n`);
  }
  return EXIT.ok;
}

/** Lists the profiles, never with their tokens. */
export async function profileList(command: PlainCommand, io: CliIo): Promise<number> {
  const entries = await profileStore(io).list();
  const sound = entries.flatMap(({ profile }) => profile === null ? [] : [profile]);
  const broken = entries.filter(({ profile }) => profile === null);
  if (command.json) {
    printJson(
      io,
      entries.map(({ name, profile, problem }) => ({
        name,
        connect: profile?.connect ?? null,
        created_at: profile?.createdAt ?? null,
        problem,
      })),
    );
  } else if (command.quiet) {
    entries.forEach(({ name }) => io.out(`${printable(name)}\n`));
  } else if (entries.length === 0) {
    io.out("There are no profiles yet: `holon profile add NAME --connect URL --token-file FILE`\n");
  } else {
    printTable(io, [
      ["PROFILE", "CONNECTS TO", "SINCE"],
      ...sound.map(({ name, connect, createdAt }) => [name, connect, createdAt]),
    ]);
    const { red } = paintFor(io);
    for (const { name, problem } of broken) {
      io.out(`${red("broken:")} ${printable(`${name}: ${problem}`)}\n`);
    }
  }
  return EXIT.ok;
}

/** Forgets a profile. */
export async function profileRemove(command: ProfileRemoveCommand, io: CliIo): Promise<number> {
  const { name } = command;
  if (!await profileStore(io).remove(name)) {
    throw new CliFailure(`there is no profile ${name}`, {
      hint: "`holon profile list` shows them.",
    });
  }
  if (command.json) printJson(io, { name, removed: true });
  else if (!command.quiet) {
    io.out(`Forgot ${name}; the server still takes its token until it is revoked there\n`);
  }
  return EXIT.ok;
}
