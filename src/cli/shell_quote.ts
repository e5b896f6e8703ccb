/**
 * Paths in commands that a person may paste into a shell.
 *
 * @module
 */

/** The path as one word of a POSIX shell. */
export function shellQuote(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
