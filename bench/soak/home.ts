/**
 * The home of a soak: apps with files of known bytes, and an agent with a runner.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** Apps that send requests and follow their events. */
export const APPS = ["one", "two", "three"] as const;
/** The app whose files are edited all the time. */
export const LIVE_APP = "live";
/** Its size in bytes; each byte tells its place. */
export const BIG_BYTES: number = 16 * 1024 * 1024;

/** The bytes of `big.bin` from one offset to another. */
export function bigBytes(start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start);
  for (let at = start; at < end; at++) bytes[at - start] = byteAt(at);
  return bytes;
}

/** A small file's text. */
export const SMALL_TEXT: string = "0123456789abcdef".repeat(256);

/** Writes it all; gives the folder of the agent's apps. */
export function writeHome(home: string): string {
  const apps = join(home, "agents", "main", "apps");
  for (const id of [...APPS, LIVE_APP]) {
    const folder = join(apps, id);
    mkdirSync(join(folder, "sub"), { recursive: true, mode: 0o700 });
    const manifest = { id, name: id, version: "1.0.0", entry: "index.html" };
    writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "index.html"), `<!doctype html><title>${id}</title>`);
    writeFileSync(join(folder, "small.txt"), SMALL_TEXT);
    writeFileSync(join(folder, "small.txt.gz"), gzipSync(SMALL_TEXT));
    writeFileSync(join(folder, "sub", "empty.txt"), "");
    writeFileSync(join(folder, ".secret"), "CANARY");
  }
  writeFileSync(join(apps, APPS[0], "big.bin"), bigBytes(0, BIG_BYTES));
  const shell = join(home, "agents", "shell");
  mkdirSync(shell, { recursive: true, mode: 0o700 });
  const command = ["/bin/sh", "-c", "cat; sleep 0.05"];
  const file = join(shell, "agent.json");
  writeFileSync(file, JSON.stringify({ runner: { command, concurrency: 2, timeout_s: 60 } }));
  chmodSync(file, 0o600);
  return apps;
}

function byteAt(offset: number): number {
  return (offset ^ (offset >>> 8) * 31 ^ (offset >>> 16) * 131) & 0xff;
}
