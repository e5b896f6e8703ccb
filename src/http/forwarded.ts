/**
 * The `Forwarded` field (RFC 7239).
 *
 * @module
 */

/** What one proxy says; a field is absent where it says nothing. */
export interface ForwardedElement {
  readonly for?: string;
  readonly host?: string;
  readonly proto?: string;
}

/** A parameter with its value, a token or a quoted string, and what ends it. */
const PAIR = /\s*([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^",;\s]*))\s*([,;]|$)/y;

/**
 * Takes a field's value apart, the proxy nearest to the client first; `null` where it is malformed.
 */
export function parseForwarded(value: string): readonly ForwardedElement[] | null {
  const elements: Record<string, string>[] = [{}];
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < value.length) {
    const match = PAIR.exec(value);
    if (match === null) return null;
    const [, name = "", quoted, plain = "", end] = match;
    const element = elements.at(-1)!;
    element[name.toLowerCase()] = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    if (end === ",") elements.push({});
  }
  return elements.map(({ for: client, host, proto }) => ({
    ...(client === undefined ? {} : { for: client }),
    ...(host === undefined ? {} : { host }),
    ...(proto === undefined ? {} : { proto }),
  }));
}
