import type { EventGap } from "../holon.d.ts";

/** What the pages that share a stream tell each other. */
export type Message =
  /** A new leader asks every page for its position. */
  | { readonly kind: "lead" }
  /** A page's readers need what came after `after`; `null`: only what comes next. */
  | {
    readonly kind: "want";
    readonly page: string;
    readonly after: number | null;
    readonly visible: boolean;
  }
  /** An event, for one page when it comes late. */
  | {
    readonly kind: "event";
    readonly page: string | null;
    readonly sequence: number | null;
    readonly data: unknown;
  }
  | { readonly kind: "gap"; readonly gap: EventGap }
  /** The connection is open; `newest` is the newest event's number where it is known. */
  | { readonly kind: "open"; readonly newest: number | null }
  | { readonly kind: "down" }
  /** The leader is at work. */
  | { readonly kind: "alive" }
  /** The server refused. */
  | {
    readonly kind: "refused";
    readonly message: string;
    readonly status: number;
    readonly code: string;
    readonly hint: string | undefined;
  };
