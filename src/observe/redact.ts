/**
 * Takes secrets out of text that is to be logged.
 *
 * Requests are logged by their route's pattern, so that no path, query or header is; this is for
 * messages of errors, which may quote one.
 *
 * @module
 */

const GONE = "[redacted]";

/** Longer text is cut before it is looked through. */
const MAX_TEXT = 16_384;

/** Names of headers whose values are secrets; the rest of the line goes. */
const HEADERS = /\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key)(["']?\s*[:=]\s*)[^\r\n]+/gi;

const CREDENTIALS = /\b(bearer|basic)\s+[\w.~+/=-]{4,}/gi;

/** Server tokens, which say what they are. */
const TOKENS = /\bholon_[0-9a-f]{16,}/gi;

/** Fields of queries, forms and cookies whose names say that they are secret. */
const FIELDS =
  /((?:token|secret|password|passwd|credential|ticket|signature|api_?key|session)[\w-]{0,32}["']?\s?[=:]\s?["']?)[^\s&;,"'#}]+/gi;

/** The user and password of a URL. */
const USER_INFO = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#@]{1,256}@/gi;

/**
 * The text without credentials: secrets that are known, values of headers that carry them, bearer
 * tokens, fields such as `?token=…`, and passwords in URLs.
 *
 * @param secrets known ones, such as the server's token
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text.slice(0, MAX_TEXT);
  for (const secret of secrets) if (secret !== "") clean = clean.replaceAll(secret, GONE);
  return clean
    .replace(HEADERS, `$1$2${GONE}`)
    .replace(CREDENTIALS, `$1 ${GONE}`)
    .replace(TOKENS, GONE)
    .replace(FIELDS, `$1${GONE}`)
    .replace(USER_INFO, `$1${GONE}@`);
}
