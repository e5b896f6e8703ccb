/**
 * Notices when the home of a running server is moved, renamed or removed: whatever is at its path
 * then is not the home that it serves.
 *
 * @module
 */

import { HostError } from "../host/types.ts";
import type { CliIo } from "./io.ts";

/** Between two looks, in ms. */
const EVERY_MS = 1_000;

/**
 * Calls back, once, when two looks in a row found no home at the path, or another one.
 *
 * @returns a function that ends it
 */
export async function watchHome(
  io: CliIo,
  home: string,
  onMoved: () => void,
  everyMs: number = EVERY_MS,
): Promise<() => void> {
  const { files } = io.host;
  const { dev, ino } = await files.stat(home);
  let missed = 0;
  let looking = false;
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    missed = await isThere() ? 0 : missed + 1;
    looking = false;
    if (missed < 2) return;
    clearInterval(timer);
    onMoved();
  };
  const isThere = async (): Promise<boolean> => {
    try {
      const found = await files.stat(home);
      return found.dev === dev && found.ino === ino;
    } catch (error) {
      // A disk that fails for a moment is no move.
      return !(error instanceof HostError) ||
        !["not_a_directory", "not_found"].includes(error.code);
    }
  };
  const timer = setInterval(() => void look(), everyMs);
  return () => clearInterval(timer);
}
