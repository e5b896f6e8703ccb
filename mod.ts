/**
 * Holon: hosts the apps that AI agents make. Named exports only; run as a program it is the CLI.
 *
 * @module
 */

// First, so that an older Node says so before anything that it can't load.
import { runAsProgram } from "./src/cli/entry.ts";

export { Fault, type FaultCode } from "./src/fault.ts";
export type { ConnectionInfo, Host, HostFiles, Listener } from "./src/host/types.ts";

await runAsProgram(import.meta);
