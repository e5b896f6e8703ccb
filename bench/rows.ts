/**
 * The rows of files: what is asked for, how, and by how many.
 *
 * @module
 */

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Load } from "./client/clients.ts";

/** One kind of request. */
export interface FileRow {
  /** As it is named by `--rows`. */
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly connections: number;
  /** Makes the request, given an answer of the server for the whole file. */
  request(head: Headers): Pick<Load, "header" | "status">;
}

const SIZES: Readonly<Record<string, number>> = {
  "large.bin": 64 * 1024 * 1024,
  "small.bin": 4096,
};
const RANGE = "bytes=1048576-2097151";
const whole = () => ({});

/** All of them. */
export const FILE_ROWS: readonly FileRow[] = [
  row("64m-1", "64 MiB, 1 connection", "large.bin", 1, whole),
  row("64m-16", "64 MiB, 16 connections", "large.bin", 16, whole),
  row("4k-1", "4 KiB, 1 connection", "small.bin", 1, whole),
  row("4k-16", "4 KiB, 16 connections", "small.bin", 16, whole),
  row("range", "1 MiB range of 64 MiB, 16 connections", "large.bin", 16, () => ({
    status: 206,
    header: ["Range", RANGE],
  })),
  row("304", "304 for 4 KiB, 16 connections", "small.bin", 16, (head) => ({
    status: 304,
    header: head.has("etag")
      ? ["If-None-Match", head.get("etag") ?? ""]
      : ["If-Modified-Since", head.get("last-modified") ?? new Date().toUTCString()],
  })),
];

/** Writes the files of the rows into a folder; gives their paths. */
export function writeFiles(directory: string): readonly string[] {
  return Object.entries(SIZES).map(([name, size]) => {
    const path = join(directory, name);
    writeFileSync(path, randomBytes(size));
    return path;
  });
}

function row(
  id: string,
  title: string,
  file: string,
  connections: number,
  request: FileRow["request"],
): FileRow {
  return { id, title, file, connections, request };
}
