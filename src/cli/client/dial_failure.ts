/**
 * Why a server can't be reached, as a person reads it.
 *
 * @module
 */

import process from "node:process";
import { CliFailure } from "../failure.ts";
import { type Endpoint, ServerAbsent } from "./types.ts";

/** Turns what the network said into a failure with a sentence. */
export function dialFailure(error: Error, endpoint: Endpoint): Error {
  const code = (error as { readonly code?: string }).code ?? "";
  return endpoint.kind === "local"
    ? socketFailure(error, code, endpoint)
    : remoteFailure(error, code, endpoint.url);
}

// --- internal ---

type Local = Extract<Endpoint, { readonly kind: "local" }>;

function socketFailure(error: Error, code: string, { socket }: Local): Error {
  if (code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR") {
    return new ServerAbsent("no server runs on this home", { cause: error });
  }
  if (code === "EACCES" || code === "EPERM") {
    return new CliFailure(`the socket ${socket} belongs to someone else`, {
      hint: "Run the command as the user who runs the server.",
      cause: error,
    });
  }
  if (isCutOff(code)) {
    return new CliFailure("the server broke off before it answered", { cause: error });
  }
  return new CliFailure(`the server can't be reached over ${socket}: ${code || error.message}`, {
    cause: error,
  });
}

function remoteFailure(error: Error, code: string, url: string): CliFailure {
  const { hostname, protocol } = new URL(url);
  const fail = (sentence: string, hint?: string): CliFailure =>
    new CliFailure(sentence, { ...(hint === undefined ? {} : { hint }), cause: error });
  if (code === "ECONNREFUSED") {
    return fail(
      `nothing listens at ${url}`,
      "Is the server up, and was it started with an address that this machine reaches?",
    );
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "EAI_NODATA") {
    return fail(`no address is known for the name ${hostname}`, "Is it spelt right?");
  }
  if (code === "EHOSTUNREACH" || code === "ENETUNREACH" || code === "EADDRNOTAVAIL") {
    return fail(`there is no way to ${url} from this machine`, "Is the network or the VPN up?");
  }
  if (code === "ETIMEDOUT") return fail(`${url} took no connection in time`);
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code)) {
    const variable = "deno" in process.versions ? "DENO_CERT" : "NODE_EXTRA_CA_CERTS";
    return fail(
      `the certificate of ${url} is not trusted (${code})`,
      `If it comes from an authority of your own, set ${variable} to that one's certificate.`,
    );
  }
  if (protocol === "https:" && /^(?:EPROTO|ERR_SSL|ERR_TLS)/.test(code)) {
    return fail(`what listens at ${url} does not speak TLS as it should (${code})`);
  }
  if (code.startsWith("HPE_")) {
    return fail(`what listens at ${url} does not speak HTTP as it should (${code})`);
  }
  if (isCutOff(code)) {
    return fail(
      `${url} closed the connection without an answer`,
      protocol === "http:" ? "Does it want https://?" : "Does it want http://?",
    );
  }
  return fail(`${url} can't be reached: ${code || error.message}`);
}

function isCutOff(code: string): boolean {
  return code === "ECONNRESET" || code === "EPIPE" || code === "ECONNABORTED";
}
