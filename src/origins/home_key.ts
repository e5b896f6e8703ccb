/**
 * The home's secret, of which the names and the cookies of apps are made.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { HostError, type HostFiles } from "../host/types.ts";

const NAME = "app_origins.key";
const MODE = 0o600;

/** Derives bytes from the home's secret; the same bytes for the same purpose. */
export type DeriveBytes = (purpose: string) => Promise<Uint8Array<ArrayBuffer>>;

/**
 * Makes the derivation (HMAC-SHA-256, 32 bytes). The secret is read when it is first needed, and
 * made where there is none: `<home>/app_origins.key`, 0600.
 *
 * The derivation throws {Fault} `storage_full` or `storage_unavailable`.
 */
export function createHomeKey(files: HostFiles, home: string): DeriveBytes {
  const path = `${home}/${NAME}`;
  let loading: Promise<CryptoKey> | undefined;

  async function load(): Promise<CryptoKey> {
    const text = await read(files, path) ?? await create(files, path);
    if (!/^[0-9a-f]{64}$/.test(text)) {
      throw new Fault("storage_unavailable", `${NAME} in the home does not hold a key`, {
        hint: "Move it away: apps get new addresses then, without what browsers stored for them.",
      });
    }
    const bytes = Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    return await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  }

  return async (purpose) => {
    // A failure is not kept: the file may be mended while the server runs.
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    const message = new TextEncoder().encode(purpose);
    return new Uint8Array(await crypto.subtle.sign("HMAC", await loading, message));
  };
}

async function read(files: HostFiles, path: string): Promise<string | null> {
  try {
    const { mode } = await files.lstat(path);
    if ((mode & 0o077) !== 0) {
      throw new Fault("storage_unavailable", `${NAME} in the home can be read by others`, {
        hint: `Run \`chmod 600 ${NAME}\` there.`,
      });
    }
    return new TextDecoder().decode(await files.read(path, 256)).trim();
  } catch (error) {
    if (error instanceof HostError && error.code === "not_found") return null;
    throw unavailable(error);
  }
}

async function create(files: HostFiles, path: string): Promise<string> {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    await files.create(path, new TextEncoder().encode(text + "\n"), MODE);
    return text;
  } catch (error) {
    throw unavailable(error);
  }
}

function unavailable(error: unknown): unknown {
  if (!(error instanceof HostError)) return error;
  const code = error.code === "no_space" ? "storage_full" : "storage_unavailable";
  return new Fault(code, `${NAME} in the home can't be read or written (${error.code})`, {
    cause: error,
  });
}
