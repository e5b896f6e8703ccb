/**
 * The URL that a client dials (`contracts/holon-remote-tui-access.md`, Terms).
 *
 * @module
 */

import { CliFailure, EXIT } from "../failure.ts";

const EXAMPLE = "Give the server's address, such as http://lab:7878.";

/**
 * Checks a URL that clients dial; gives it without a fragment and without a slash at its end.
 *
 * @param text what was given
 * @param option where it was given, for the sentence: `--connect`
 * @throws {CliFailure} that says what is wrong with it; exit code 2
 */
export function parseConnectUrl(text: string, option: string): string {
  const trimmed = text.trim();
  if (trimmed === "") throw refused(`${option} is empty`);
  // Before it is parsed, since URL takes http:lab and http:///lab for http://lab.
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/\\]/i.test(trimmed)) {
    throw refused(`${option} is no URL: ${quoted(trimmed)}`);
  }
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
  if (url === null) throw refused(`${option} is no URL: ${quoted(trimmed)}`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refused(`${option} has to begin with http:// or https://, not ${url.protocol}//`);
  }
  if (url.username !== "" || url.password !== "") {
    throw refused(`${option} has a user name or a password in it`, "Give the token by itself.");
  }
  if (url.search !== "" || trimmed.includes("?")) {
    throw refused(`${option} has a query (what follows the ?)`);
  }
  if (isWildcard(url.hostname)) {
    throw refused(
      `${option} names ${url.hostname}, which is only an address to listen on`,
      "Give an address of the server that this machine reaches, such as http://192.168.1.10:7878.",
    );
  }
  if (url.port === "0") throw refused(`${option} names port 0, where nothing can listen`);
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

// --- internal ---

/** `URL` has written every way to say it as one of these: `0`, `0x0`, `[0:0::]`, `[::ffff:0:0]`. */
function isWildcard(hostname: string): boolean {
  return ["0.0.0.0", "[::]", "[::ffff:0:0]"].includes(hostname.replace(/\.$/, ""));
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}

function refused(sentence: string, hint: string = EXAMPLE): CliFailure {
  return new CliFailure(sentence, { hint, exitCode: EXIT.usage });
}
