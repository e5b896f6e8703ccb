/**
 * IP addresses in text: one spelling for each, and ranges of them.
 *
 * @module
 */

/**
 * The one spelling of an IP address without brackets: IPv6 shortened and in small letters, an IPv4
 * address that was mapped into IPv6 in its own form. `null` for what is no address: names, zones,
 * short and octal forms of IPv4.
 */
export function canonicalIp(text: string): string | null {
  if (!text.includes(":")) return isIpv4(text) ? text : null;
  if (!/^[0-9a-f:.]+$/i.test(text) || !URL.canParse(`http://[${text}]/`)) return null;
  const address = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address);
  if (mapped === null) return address;
  const [high, low] = [Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** Whether an address, spelled by {@linkcode canonicalIp}, stands for every one of a machine. */
export function isWildcardIp(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}

/** Tells whether an address, in any spelling, is in a range; `null` is in none. */
export type InRange = (address: string | null) => boolean;

/** The range of some addresses and CIDR ranges, such as `10.0.0.0/8`; what is neither is in none. */
export function ipRange(items: readonly string[]): InRange {
  const ranges = items.flatMap((item) => {
    const [text = "", prefix] = item.split("/");
    const bits = bitsOf(text);
    if (bits === null) return [];
    // A range of mapped addresses is given with the 96 bits of its prefix.
    const spare = text.includes(":") && bits.length === 32 ? 96 : 0;
    const length = prefix === undefined ? bits.length : Math.max(0, Number(prefix) - spare);
    return [{ family: bits.length, start: bits.slice(0, length) }];
  });
  return (address) => {
    const bits = address === null ? null : bitsOf(address);
    return bits !== null &&
      ranges.some(({ family, start }) => family === bits.length && bits.startsWith(start));
  };
}

// --- internal ---

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 &&
    parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}

/** Its 32 or 128 bits, as digits. */
function bitsOf(text: string): string | null {
  const address = canonicalIp(text);
  if (address === null) return null;
  if (!address.includes(":")) return address.split(".").map((part) => binary(part, 10, 8)).join("");
  const [front = "", back] = address.split("::");
  const words = (part: string) => part === "" ? [] : part.split(":");
  const first = words(front);
  const last = words(back ?? "");
  const zeros = new Array<string>(8 - first.length - last.length).fill("0");
  return [...first, ...zeros, ...last].map((word) => binary(word, 16, 16)).join("");
}

function binary(digits: string, radix: number, length: number): string {
  return Number.parseInt(digits, radix).toString(2).padStart(length, "0");
}
