/**
 * `<home>/config.json`: reading it tolerantly, replacing it in one step.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { HostError, type HostFiles } from "../host/types.ts";
import type { ConfigDocument } from "./document.ts";

const MAX_BYTES = 1024 * 1024;
const FILE_MODE = 0o600;
const REPAIR = "Mend it, or move it away to start with the defaults.";

/** The path of a home's configuration file. */
export function configPath(home: string): string {
  return home.endsWith("/") ? `${home}config.json` : `${home}/config.json`;
}

/**
 * Reads the configuration document; a missing or an empty file is an empty document. A byte order
 * mark is skipped (RFC 8259 §8.1).
 *
 * @throws {Fault} `bad_request` when the file is no JSON object or can't be read; the sentence
 * names `config.json` and says what to do
 */
export async function readConfigFile(files: HostFiles, path: string): Promise<ConfigDocument> {
  const text = decode(await readBytes(files, path));
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unsound(`config.json is not valid JSON${position(text, error)}`, error);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw unsound('config.json has to hold an object such as {"agents":{"default":"main"}}');
  }
  return value as ConfigDocument;
}

/**
 * Replaces the configuration file in one step, readable by its owner only.
 *
 * @throws {Fault} `storage_full` or `storage_unavailable`
 */
export async function writeConfigFile(
  files: HostFiles,
  path: string,
  document: ConfigDocument,
): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(document, null, 2) + "\n");
  if (bytes.byteLength > MAX_BYTES) {
    throw new Fault("bad_request", "The configuration would be larger than 1 MiB");
  }
  try {
    await files.replace(path, bytes, FILE_MODE);
  } catch (error) {
    throw writeFault(error);
  }
}

async function readBytes(files: HostFiles, path: string): Promise<Uint8Array> {
  try {
    return await files.read(path, MAX_BYTES);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    switch (error.code) {
      case "not_found":
        return new Uint8Array();
      case "denied":
        throw unsound("config.json can't be read: its permissions refuse it", error);
      case "too_large":
        throw unsound("config.json is larger than 1 MiB", error);
      case "is_a_directory":
        throw unsound("config.json is a directory", error);
      default:
        throw unsound(`config.json can't be read (${error.code})`, error);
    }
  }
}

function decode(bytes: Uint8Array): string {
  try {
    // TextDecoder itself drops a UTF-8 mark.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) ||
      (bytes[0] === 0xfe && bytes[1] === 0xff);
    throw unsound(`config.json is ${utf16 ? "UTF-16" : "not UTF-8"}: save it as UTF-8`, error);
  }
}

/** Says where the syntax error is; only some runtimes tell. */
function position(text: string, error: unknown): string {
  const offset = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
  if (offset === undefined) return "";
  return ` (line ${text.slice(0, Number(offset)).split("\n").length})`;
}

function unsound(message: string, cause?: unknown): Fault {
  return new Fault("bad_request", message, { hint: REPAIR, cause });
}

function writeFault(error: unknown): unknown {
  if (!(error instanceof HostError)) return error;
  if (error.code === "no_space") {
    return new Fault("storage_full", "The disk is full, so config.json was left as it is", {
      hint: "Free some space and try again.",
      cause: error,
    });
  }
  const why = error.code === "read_only"
    ? "the disk is read-only"
    : error.code === "denied"
    ? "permissions refuse it"
    : error.code;
  return new Fault("storage_unavailable", `config.json can't be written: ${why}`, {
    cause: error,
  });
}
