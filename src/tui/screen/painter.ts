/**
 * Draws rows on a terminal, and of those only what has changed, in one write.
 *
 * @module
 */

/** Control sequences (ECMA-48, and DEC private modes as xterm documents them). */
const CSI = "\u001b[";
const BEGIN_UPDATE = `${CSI}?2026h`;
const END_UPDATE = `${CSI}?2026l`;
const HIDE_CURSOR = `${CSI}?25l`;
const SHOW_CURSOR = `${CSI}?25h`;
/** Text that is wider than was reckoned stays on its row. */
const NO_WRAP = `${CSI}?7l`;
const WRAP = `${CSI}?7h`;
const RESET = `${CSI}0m`;
const ERASE_LINE = `${CSI}2K`;
const ERASE_SCREEN = `${CSI}2J`;

/** Where the cursor stands, from 0. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Turns rows into what has to be written. */
export interface Painter {
  /** What has to be written so that the screen shows these rows; empty where it does already. */
  draw(rows: readonly string[], cursor: Place): string;
  /** Forgets what is on the screen, so that all of it is drawn again. */
  forget(): void;
}

/** What to write before the first drawing. */
export function beginDrawing(alternate: boolean, rows: number): string {
  // On the primary screen what is there moves up, into what can be scrolled back to.
  return NO_WRAP + (alternate ? "" : "\n".repeat(rows));
}

/** What to write after the last one. */
export function endDrawing(alternate: boolean, rows: number): string {
  // tmux may keep what is on an alternate screen that was resized: so nothing is.
  const end = alternate ? `${ERASE_SCREEN}${CSI}H` : `${CSI}${rows};1H`;
  return RESET + WRAP + SHOW_CURSOR + end;
}

/** Makes a painter for an empty screen. */
export function createPainter(): Painter {
  let shown: readonly string[] | null = null;
  let place: Place | null = null;
  return {
    draw(rows, cursor) {
      const before = shown;
      const isFresh = before === null || before.length !== rows.length;
      const changed = rows.map((row, index) =>
        !isFresh && before[index] === row
          ? ""
          : `${CSI}${index + 1};1H${isFresh ? "" : ERASE_LINE}${row}${RESET}`
      ).join("");
      const moved = place === null || place.x !== cursor.x || place.y !== cursor.y;
      if (changed === "" && !moved) return "";
      shown = rows;
      place = cursor;
      const at = `${CSI}${cursor.y + 1};${cursor.x + 1}H`;
      if (changed === "") return at;
      const clear = isFresh ? ERASE_SCREEN : "";
      return BEGIN_UPDATE + HIDE_CURSOR + clear + changed + at + SHOW_CURSOR + END_UPDATE;
    },
    forget() {
      shown = null;
      place = null;
    },
  };
}
