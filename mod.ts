/**
 * Holon: hosts the apps that AI agents make. Named exports only; run as a program it is the CLI.
 *
 * A default export with `fetch` would make Bun and `deno serve` open a server of their own, without
 * our checks.
 *
 * @example
 * ```ts
 * import { createHolon, createHost } from "./mod.ts";
 *
 * const host = createHost();
 * const holon = await createHolon({ host, home: "/srv/holon", token: "a secret" });
 * const response = await holon.fetch(
 *   new Request("http://localhost/api/agents", { headers: { authorization: "Bearer a secret" } }),
 * );
 * await holon.close();
 * ```
 *
 * @module
 */

// First, and with nothing below it that an older Node lacks.
import { runAsProgram } from "./src/cli/entry.ts";

export { Fault, type FaultCode, type FaultOptions } from "./src/fault.ts";
export { createHolon, type Holon, type HolonOptions } from "./src/holon.ts";
export { createHost } from "./src/host/current.ts";
export {
  type ConnectionInfo,
  type FetchHandler,
  type Host,
  HostError,
  type HostErrorCode,
  type HostFiles,
  type ListenAddress,
  type Listener,
  type ListenOptions,
} from "./src/host/types.ts";
export { VERSION } from "./src/version.ts";

await runAsProgram(import.meta);
