/**
 * A server with one app that holds a large file, for real clients to fetch.
 *
 * @module
 */

import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ServedHolon, startHolon } from "../support/served_holon.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";

/** The large file's size: enough for 16 connections to take a while at a limited rate. */
export const FILE_BYTES: number = 24 * 1024 * 1024;

/** What is served. */
export interface ServedApp {
  readonly holon: ServedHolon;
  /** The app's root, with a slash at the end. */
  readonly root: string;
  /** The large file's address. */
  readonly file: string;
  /** SHA-256 of the large file, in hexadecimal. */
  readonly digest: string;
  /** For what the client writes. */
  readonly directory: TempDirectory;
  stop(): Promise<void>;
}

/** Starts a server whose agent `main` has the app `files`. */
export async function serveApp(program: readonly string[]): Promise<ServedApp> {
  const directory = tempDirectory();
  const home = join(directory.path, "home");
  const bytes = randomBytes(FILE_BYTES);
  const holon = await startHolon({ home, program });
  const app = join(home, "agents", "main", "apps", "files");
  mkdirSync(app, { recursive: true });
  writeFileSync(join(app, "index.html"), "<!doctype html><title>Files</title>");
  writeFileSync(join(app, "large.bin"), bytes);
  const root = `${holon.url}/apps/main/files/`;
  return {
    holon,
    root,
    file: `${root}large.bin`,
    digest: createHash("sha256").update(bytes).digest("hex"),
    directory,
    stop: async () => {
      await holon.stop();
      directory.remove();
    },
  };
}

/** SHA-256 of a file, in hexadecimal. */
export function digestOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
