/**
 * The syntax of a Host field value.
 *
 * @module
 */

const SHAPE = /^(?:\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._~-]{1,253})(?::(\d{0,5}))?$/;
const REMEMBERED = 64;
const sound = new Set<string>();

/**
 * Tells whether a value names a host: a name, an IPv4 address or an IPv6 address in brackets, with
 * an optional port (RFC 9110 §7.2). Stricter than RFC 3986 in that names hold no percent escapes
 * and no sub-delimiters, none of which a name in use has.
 */
export function isHostField(value: string): boolean {
  if (sound.has(value)) return true;
  const match = SHAPE.exec(value);
  if (match === null || Number(match[1] ?? 0) > 65_535) return false;
  // Refuses what only looks like an address, such as 999.1.1.1 or [::g].
  if (!URL.canParse(`http://${value}/`)) return false;
  if (sound.size >= REMEMBERED) sound.clear();
  sound.add(value);
  return true;
}
