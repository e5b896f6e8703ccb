/**
 * Paths of routes, matched segment by segment: a library would take a `URL` and a regular
 * expression for each route, which costs more than all other checks of a request together.
 *
 * @module
 */

/** A path that may match. */
export interface RoutePattern {
  /**
   * Raw values of the parameters; `null` where the path doesn't match. Slashes at its end don't
   * count, and no parameter is empty.
   *
   * @param segments raw segments of the path, without the empty one before the first slash
   */
  match(segments: readonly string[]): Record<string, string> | null;
}

/** Compiles a path such as `/apps/:agent/:app/:path+`; the last parameter takes all that follows. */
export function routePattern(path: string): RoutePattern {
  const parts = path.split("/").filter((part) => part !== "");
  const last = parts.at(-1) ?? "";
  const rest = last.startsWith(":") && last.endsWith("+") ? last.slice(1, -1) : null;
  const fixed = rest === null ? parts : parts.slice(0, -1);
  return {
    match(segments) {
      const { length } = fixed;
      if (rest === null ? !endsAt(segments, length) : segments.length <= length) return null;
      const params: Record<string, string> = {};
      for (let index = 0; index < length; index++) {
        const part = fixed[index]!;
        const segment = segments[index]!;
        if (part.charCodeAt(0) !== COLON) {
          if (part !== segment) return null;
        } else if (segment === "") {
          return null;
        } else {
          params[part.slice(1)] = segment;
        }
      }
      if (rest === null) return params;
      const value = segments.slice(length).join("/");
      if (value === "") return null;
      params[rest] = value;
      return params;
    },
  };
}

const COLON = 0x3a;

/** Whether nothing but slashes comes after so many segments. */
function endsAt(segments: readonly string[], length: number): boolean {
  if (segments.length < length) return false;
  for (let index = length; index < segments.length; index++) {
    if (segments[index] !== "") return false;
  }
  return true;
}
