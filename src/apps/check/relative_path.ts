/**
 * How a file is best named, seen from another one, and what a module specifier stands for.
 *
 * @module
 */

/** The shortest relative address from a base to an address of the same origin. */
export function shortestPath(base: URL, target: URL): string {
  const from = base.pathname.split("/").slice(0, -1);
  const to = target.pathname.split("/");
  let common = 0;
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common += 1;
  return decodeURI("../".repeat(from.length - common) + to.slice(common).join("/"));
}

/** An address, and whether an import map gave it. */
export interface SpecifierTarget {
  readonly url: string;
  readonly isMapped: boolean;
}

/**
 * Resolves a module specifier by an import map (WHATWG HTML §8.1.5.2, without scopes); `null` for
 * one that is no address and that the map doesn't have.
 */
export function withoutSpecifier(
  specifier: string,
  imports: ReadonlyMap<string, string>,
): SpecifierTarget | null {
  const exact = imports.get(specifier);
  if (exact !== undefined) return { url: exact, isMapped: true };
  const prefixes = [...imports.keys()]
    .filter((key) => key.endsWith("/") && specifier.startsWith(key))
    .sort((one, other) => other.length - one.length);
  const [prefix] = prefixes;
  if (prefix !== undefined) {
    return { url: imports.get(prefix) + specifier.slice(prefix.length), isMapped: true };
  }
  const isAddress = /^(?:\.{0,2}\/|[a-z][a-z0-9+.-]*:)/i.test(specifier);
  return isAddress ? { url: specifier, isMapped: false } : null;
}
