/** The ticket in a link's fragment; `null` where there is none. */
export function ticketIn(fragment: string): string | null {
  return /^#?([0-9a-f]{64})$/i.exec(fragment.trim())?.[1]?.toLowerCase() ?? null;
}
