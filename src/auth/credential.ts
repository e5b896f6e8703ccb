/**
 * Digests of secrets, and comparing them in constant time.
 *
 * @module
 */

const encoder = new TextEncoder();

/** The SHA-256 digest of a secret, as 64 lower-case hex characters. */
export async function digestOf(secret: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(secret))));
}

/** A new secret of 256 random bits, as 64 lower-case hex characters. */
export function randomSecret(): string {
  return hex(crypto.getRandomValues(new Uint8Array(32)));
}

/** Compares two digests of the same length without telling by time where they differ. */
export function equalDigests(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
