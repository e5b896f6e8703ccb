/**
 * Whether other people have accounts on this machine.
 *
 * @module
 */

import { readdir, readFile } from "node:fs/promises";
import process from "node:process";

/** People's accounts begin here on Linux; system accounts are below. */
const FIRST_PERSON = 1000;
/** `nobody` and beyond. */
const LAST_PERSON = 60_000;

/** Names of other users who can log in, as far as `/etc/passwd` and `/home` tell. */
export async function otherUsers(): Promise<readonly string[]> {
  const me = process.getuid?.();
  const passwd = await readFile("/etc/passwd", "utf8").catch(() => "");
  const mine = myName(passwd, me);
  const homes = await readdir("/home").catch(() => []);
  const names = new Set([...peopleIn(passwd, me), ...homes.filter((name) => name !== mine)]);
  return [...names].filter((name) => !name.startsWith(".") && name !== "lost+found").sort();
}

/** People in the text of a passwd file: other user ids with a shell to log in to. */
export function peopleIn(passwd: string, me: number | undefined): readonly string[] {
  return entriesOf(passwd)
    .filter(({ uid, shell }) =>
      uid !== me && (uid === 0 ? false : uid >= FIRST_PERSON && uid < LAST_PERSON) &&
      !/(?:nologin|false|sync|halt|shutdown)$/.test(shell)
    )
    .map(({ name }) => name);
}

interface PasswdEntry {
  readonly name: string;
  readonly uid: number;
  readonly shell: string;
}

function entriesOf(passwd: string): readonly PasswdEntry[] {
  return passwd.split("\n").filter((line) => line.includes(":") && !line.startsWith("#"))
    .map((line) => line.split(":"))
    .map(([name = "", , uid = "", , , , shell = ""]) => ({ name, uid: Number(uid), shell }));
}

function myName(passwd: string, me: number | undefined): string | undefined {
  return entriesOf(passwd).find(({ uid }) => uid === me)?.name;
}
