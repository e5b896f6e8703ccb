/**
 * What a daemon wrote outside of its log: why it could not start, or how it crashed.
 *
 * @module
 */

import { open } from "node:fs/promises";
import { join } from "node:path";
import { STATE } from "./state_files.ts";

/** Read of the end of the file, in bytes. */
const MAX_BYTES = 8192;
const MAX_WORDS = 1000;

/**
 * The sentence of a failure (`holon: …` with its hint), else the last lines; `null` when nothing
 * was written.
 */
export async function lastWords(run: string): Promise<string | null> {
  const lines = (await readEnd(join(run, STATE.stderr))).split("\n")
    .map((line) => line.trimEnd()).filter((line) => line !== "");
  const start = lines.findLastIndex((line) => line.startsWith("holon: "));
  const words = start < 0 ? lines.slice(-5) : lines.slice(start, start + 2);
  const text = words.map((line) => line.replace(/^holon: /, "").trim()).join(". ");
  return text === "" ? null : text.slice(-MAX_WORDS);
}

async function readEnd(path: string): Promise<string> {
  const file = await open(path).catch(() => null);
  if (file === null) return "";
  try {
    const { size } = await file.stat();
    const length = Math.min(size, MAX_BYTES);
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, size - length);
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } catch {
    return "";
  } finally {
    await file.close();
  }
}
