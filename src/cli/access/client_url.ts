/**
 * URLs that clients dial: those that Holon advertises, and those that commands connect to.
 *
 * @module
 */

import { hostProblem } from "../../config/value_rules.ts";
import { canonicalIp, isWildcardIp } from "../../http/ip_address.ts";
import { CliFailure, EXIT } from "../failure.ts";

const MAX_LENGTH = 2048;

/** A URL that can be dialled. */
export interface ClientUrl {
  /** Without a fragment and without a slash at the end, e.g. `http://lab:7878`. */
  readonly url: string;
  /** Its host: a name in small letters or an IP address, without brackets and port. */
  readonly host: string;
}

/**
 * Reads a URL that clients are to dial: http or https, a host that can be dialled, no query and no
 * credentials (`facts/holon.md` §f.6).
 *
 * @param source the option or variable that it comes from, for the sentence
 * @throws {CliFailure} (usage) with what to change
 */
export function readClientUrl(text: string, source: string): ClientUrl {
  const trimmed = text.trim();
  if (trimmed === "") throw refusal(`${source} is empty`);
  if (trimmed.length > MAX_LENGTH) {
    throw refusal(`${source} is longer than ${MAX_LENGTH} characters`);
  }
  const [bare = ""] = trimmed.split("#");
  const parts = /^(https?):\/\/([^/?\\\s]+)([^?\\\s]*)(\?.*)?$/i.exec(bare);
  if (parts?.[2]?.includes("@")) {
    throw refusal(
      `${source} has a user name or a password in its URL`,
      "Leave them out: a token goes into --token-file.",
    );
  }
  if (parts === null || !URL.canParse(bare)) {
    // What is before an @ may be a password.
    const shown = bare.includes("@") ? "a text" : `"${bare}"`;
    throw refusal(`${source} has ${shown}, which is no http or https URL with a host`);
  }
  if (parts[4] !== undefined) {
    throw refusal(`${source} has a query ("?…") in its URL`, "Leave it out.");
  }
  const url = new URL(bare);
  const host = hostOf(url);
  if (isWildcardIp(host)) {
    throw refusal(
      `${source} has ${url.hostname}, which is an address to listen on: nobody can dial it`,
      "Give the name or the address that clients reach, such as http://192.168.1.10:7878.",
    );
  }
  const problem = hostProblem(host);
  if (problem !== null) throw refusal(`the host of ${source} ${problem}`);
  if (url.port === "0") throw refusal(`${source} has port 0, which nobody can dial`);
  return { url: url.href.replace(/\/+$/, ""), host };
}

// --- internal ---

/** The host in one spelling, so that no form of 0.0.0.0 passes for another address. */
function hostOf({ hostname }: URL): string {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname.replace(/\.$/, "");
  return canonicalIp(bare) ?? bare;
}

function refusal(
  message: string,
  hint = "Write it as http://lab.example:7878 or https://lab.example.",
): CliFailure {
  return new CliFailure(message, { hint, exitCode: EXIT.usage });
}
