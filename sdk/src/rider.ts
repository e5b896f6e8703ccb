/**
 * Told of what else comes on a shared event stream: the data of each `holon_reload` frame, and
 * `null` when the connection is lost or ended.
 */
export type Rider = (data: string | null) => void;

let current: { readonly url: string; readonly rider: Rider } | null = null;

/** Lets a rider onto the event stream at a URL, from its next connection on. */
export function setRider(url: string, rider: Rider): void {
  current = { url, rider };
}

/** The rider of the event stream at a URL. */
export function riderOf(url: string): Rider | null {
  return current?.url === url ? current.rider : null;
}
