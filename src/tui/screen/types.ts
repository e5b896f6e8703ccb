/**
 * What the main loop needs of a terminal.
 *
 * @module
 */

import type { TuiEvent } from "../state/events.ts";

/** How to take the terminal. */
export interface ScreenOptions {
  /** Whether to use the alternate screen, which leaves what was there as it was. */
  readonly alternate: boolean;
  /** Gets keys, text, pastes and changes of size. */
  readonly put: (event: TuiEvent) => void;
}

/** A terminal that is ours for a while. */
export interface Screen {
  /** Columns and rows that can be drawn on. */
  size(): { readonly columns: number; readonly rows: number };
  /** Looks whether the size has changed, where the terminal does not tell. */
  checkSize(): void;
  /** Draws rows of painted text, one under the other, and places the cursor. */
  draw(rows: readonly string[], cursor: { readonly x: number; readonly y: number }): void;
  /** Gives the terminal back as it was; again does nothing. */
  close(): void;
}
