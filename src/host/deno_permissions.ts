/**
 * What Deno's permissions allow. Asking first matters: on a terminal an access that is not granted
 * stops the program to ask the person, and a denied listen is an error that nobody can catch.
 *
 * @module
 */

type Descriptor =
  | { readonly name: "net"; readonly host: string }
  | { readonly name: "read"; readonly path: string };

/** The part of Deno's global that is needed here. */
export interface DenoPermissions {
  readonly permissions: {
    querySync(descriptor: Descriptor): { readonly state: string };
  };
}

/** Whether a path may be read without asking; on Node and Bun, what the system allows. */
export function mayRead(path: string): boolean {
  return isGranted({ name: "read", path });
}

/** Whether listening at `host:port` is allowed without asking. */
export function mayListen(host: string): boolean {
  return isGranted({ name: "net", host });
}

function isGranted(descriptor: Descriptor): boolean {
  const { Deno } = globalThis as { readonly Deno?: DenoPermissions };
  return Deno === undefined || Deno.permissions.querySync(descriptor).state === "granted";
}
