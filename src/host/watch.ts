/**
 * Watches folders, over `node:fs`, on Node and Bun.
 *
 * One folder at a time and not what lies below: of watching whole trees each runtime has its own
 * idea (Node follows a file by its inode and loses it once it is replaced, and misses what is
 * written into a folder that was just made), while this is the same on all three, and takes one
 * inotify descriptor of the process in all.
 *
 * @module
 */

import * as fs from "node:fs";
import { hostError } from "./host_error.ts";
import type { WatchListener } from "./types.ts";

/**
 * Calls back when what lies directly in a folder may have changed, until the function that it
 * returns is called.
 *
 * @throws {HostError} `not_found`, `denied`; `no_space` or `too_many_open_files` when the system
 * lends no more watches
 */
export function watchFolder(path: string, listener: WatchListener): () => void {
  let watcher: fs.FSWatcher | null;
  try {
    watcher = fs.watch(path, { persistent: false }, () => listener.onChange());
  } catch (error) {
    throw hostError(error, `Watching ${path}`);
  }
  const close = () => {
    watcher?.close();
    watcher = null;
  };
  watcher.on("error", (error) => {
    if (watcher === null) return;
    close();
    listener.onLost(hostError(error, `Watching ${path}`));
  });
  return close;
}
