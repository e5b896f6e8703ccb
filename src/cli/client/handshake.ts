/**
 * The handshake: whether what answers is a Holon that this program can talk to
 * (`facts/holon.md` §f.7).
 *
 * @module
 */

import { CliFailure } from "../failure.ts";
import { printable } from "../output.ts";
import { VERSION } from "../../version.ts";
import { notHolon, requireOk } from "./answer.ts";
import { type Connection, ServerRefusal } from "./types.ts";

/** The protocol that this program speaks: its name and its major version. */
export const PROTOCOL = { name: "holon-control", major: 1 } as const;

/** What a server tells of itself; fields that it doesn't show to this token are `null`. */
export interface Handshake {
  readonly protocol: { readonly name: string; readonly version: string };
  readonly authRequired: boolean;
  readonly capabilities: readonly string[];
  /** The version of the server's program. */
  readonly version: string | null;
  readonly defaultAgent: string | null;
  readonly listen: string | null;
  readonly advertiseUrl: string | null;
  readonly homeDirectory: string | null;
}

/**
 * Asks a server who it is and makes sure that both speak the same protocol.
 *
 * @throws {CliFailure} when it is no Holon, speaks another protocol, or refuses the token
 */
export async function shakeHands(connection: Connection, signal?: AbortSignal): Promise<Handshake> {
  const answer = await connection.send({
    method: "GET",
    path: "/api/handshake",
    ...(signal === undefined ? {} : { signal }),
  });
  if (answer.status === 401) {
    throw new ServerRefusal(`${connection.name} does not take this token`, {
      status: 401,
      code: "auth_required",
      hint: "Is it the token of that server, and has it not expired or been revoked?",
    });
  }
  const body = answer.json as Record<string, unknown> | null | undefined;
  if (answer.status !== 200 && typeof body?.["error"] !== "string") {
    throw notHolon(connection.name, `answered ${answer.status}`);
  }
  return readHandshake(requireOk(answer), connection.name);
}

/**
 * Reads the body of a handshake; unknown fields are let be.
 *
 * @throws {CliFailure} for another protocol, or another major version of it
 */
export function readHandshake(body: Record<string, unknown>, name: string): Handshake {
  const protocol = fields(body["protocol"]);
  const runtime = fields(body["runtime"]);
  const version = text(body["version"]) ?? text(runtime["version"]);
  const protocolName = text(protocol["name"]);
  const protocolVersion = text(protocol["version"]);
  if (protocolName === null || protocolVersion === null) {
    throw notHolon(name, "names no protocol in its handshake");
  }
  if (protocolName !== PROTOCOL.name) {
    throw new CliFailure(
      `${name} speaks the protocol ${protocolName}, and this program ${PROTOCOL.name}`,
      { hint: "Is that the address of a Holon server?" },
    );
  }
  if (majorOf(protocolVersion) !== PROTOCOL.major) {
    const other = version === null ? "" : ` (Holon ${version})`;
    throw new CliFailure(
      `${name} speaks version ${protocolVersion} of the protocol${other}, and this program ` +
        `version ${PROTOCOL.major} (Holon ${VERSION})`,
      { hint: "Bring the older one of the two up to date." },
    );
  }
  return {
    protocol: { name: protocolName, version: protocolVersion },
    authRequired: fields(body["auth"])["required"] === true,
    capabilities: Array.isArray(body["capabilities"])
      ? body["capabilities"].filter((item) => typeof item === "string").map(printable)
      : [],
    version,
    defaultAgent: text(runtime["default_agent"]),
    listen: text(runtime["listen"]),
    advertiseUrl: text(runtime["advertise_url"]),
    homeDirectory: text(runtime["home_dir"]),
  };
}

/** A sentence for a server of another version; `null` for the same. */
export function versionNote(handshake: Handshake, name: string): string | null {
  const { version } = handshake;
  if (version === null || version === VERSION) return null;
  return `${name} runs Holon ${version}, and this program is ${VERSION}`;
}

// --- internal ---

function fields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : {};
}

/** A text or a number as a text that is safe to print; `null` for anything else. */
function text(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string" || value === "") return null;
  return printable(value).slice(0, 500);
}

/** `1`, `"1"` and `"1.2"` have the major version 1. */
function majorOf(version: string): number {
  return /^\d+(?:\.\d+)*$/.test(version) ? Number.parseInt(version, 10) : NaN;
}
