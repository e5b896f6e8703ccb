/**
 * The terminal, through ink: raw mode, the alternate screen, keys, resizing, drawing what has
 * changed, and giving the terminal back. Nothing else in Holon imports ink or React.
 *
 * @module
 */

import process from "node:process";
import { render, Text, useCursor, useInput, usePaste, useWindowSize } from "ink";
import { createElement, type FunctionComponent, useEffect } from "react";
import type { TuiEvent } from "../state/events.ts";
import type { Screen, ScreenOptions } from "./types.ts";
import { eventsOfInput } from "./keys.ts";

/** Pastes larger than the text may be are cut before anything looks at them, in UTF-16 units. */
const MAX_PASTE = 256 * 1024;

/** What was typed before the terminal was raw comes now, with a line end for Enter. */
const TYPED_AHEAD_MS = 500;

interface Drawn {
  readonly text: string;
  readonly cursor: { readonly x: number; readonly y: number };
}

/** Takes the terminal. */
export function openScreen({ alternate, put }: ScreenOptions): Screen {
  let closed = false;
  const openedAt = performance.now();
  const root: FunctionComponent<Drawn> = ({ text, cursor }) => {
    useInput((input, key) => {
      const early = performance.now() - openedAt < TYPED_AHEAD_MS;
      eventsOfInput(early ? input.replaceAll("\n", "\r") : input, key).forEach(put);
    });
    usePaste((pasted) => put({ kind: "paste", text: pasted.slice(0, MAX_PASTE) }));
    const { columns, rows } = useWindowSize();
    useEffect(() => put(resized(columns, rows, alternate)), [columns, rows]);
    const { setCursorPosition } = useCursor();
    setCursorPosition({ ...cursor });
    return createElement(Text, { wrap: "truncate" }, text);
  };
  const drawing = ({ text, cursor }: Drawn) => createElement(root, { text, cursor });
  const instance = render(drawing({ text: "", cursor: { x: 0, y: 0 } }), {
    alternateScreen: alternate,
    exitOnCtrlC: false,
    incrementalRendering: true,
    // Also where CI is set: that there is a terminal was made sure of.
    interactive: true,
    isScreenReaderEnabled: false,
    kittyKeyboard: { mode: "auto" },
    // The main loop decides when to draw; ink is not to wait on top of that.
    maxFps: 1000,
    patchConsole: false,
  });
  return {
    size: () => {
      const { columns, rows } = process.stdout;
      return usable(columns, rows, alternate);
    },
    draw(rows, cursor) {
      if (!closed) instance.rerender(drawing({ text: rows.join("\n"), cursor }));
    },
    close() {
      if (closed) return;
      closed = true;
      instance.unmount();
      // Whatever happened before: cursor on, bracketed paste off, and no raw mode.
      process.stdout.write("\u001b[?2004l\u001b[?25h");
      if (process.stdin.isTTY) process.stdin.setRawMode(false);
    },
  };
}

function resized(columns: number, rows: number, alternate: boolean): TuiEvent {
  return { kind: "resize", ...usable(columns, rows, alternate) };
}

/** On the primary screen a frame that fills it would scroll what is above out of sight. */
function usable(columns = 80, rows = 24, alternate: boolean) {
  return { columns: Math.max(1, columns), rows: Math.max(1, alternate ? rows : rows - 1) };
}
