/**
 * The terminal: ink holds it (raw mode, the alternate screen, the keyboard protocol, pastes,
 * resizing, giving it back) and reads its keys; the painter draws. Nothing else in Holon imports
 * ink or React.
 *
 * @module
 */

import process from "node:process";
import { render, useInput, usePaste, useWindowSize } from "ink";
import { createElement, type FunctionComponent, useEffect } from "react";
import { eventsOfInput } from "./keys.ts";
import { beginDrawing, createPainter, endDrawing, type Place } from "./painter.ts";
import type { Screen, ScreenOptions } from "./types.ts";

/** Pastes larger than the text may be are cut before anything looks at them, in UTF-16 units. */
const MAX_PASTE = 256 * 1024;

/** What was typed before the terminal was raw comes now, with a line end for Enter. */
const TYPED_AHEAD_MS = 500;

/** Takes the terminal. */
export function openScreen({ alternate, put }: ScreenOptions): Screen {
  const { stdin, stdout } = process;
  const openedAt = performance.now();
  const painter = createPainter();
  let closed = false;
  let blocked = false;
  let latest: { readonly rows: readonly string[]; readonly cursor: Place } | null = null;

  const root: FunctionComponent = () => {
    useInput((input, key) => {
      const early = performance.now() - openedAt < TYPED_AHEAD_MS;
      eventsOfInput(early ? input.replaceAll("\n", "\r") : input, key).forEach(put);
    });
    usePaste((pasted) => put({ kind: "paste", text: pasted.slice(0, MAX_PASTE) }));
    const { columns, rows } = useWindowSize();
    useEffect(() => {
      painter.forget();
      put({ kind: "resize", ...usable(columns, rows, alternate) });
    }, [columns, rows]);
    return null;
  };
  const instance = render(createElement(root), {
    alternateScreen: alternate,
    exitOnCtrlC: false,
    // Also where CI is set: that there is a terminal was made sure of.
    interactive: true,
    isScreenReaderEnabled: false,
    kittyKeyboard: { mode: "auto" },
    patchConsole: false,
  });
  stdout.write(beginDrawing(alternate, stdout.rows));

  function show(): void {
    if (closed || blocked || latest === null) return;
    const written = painter.draw(latest.rows, latest.cursor);
    if (written === "") return;
    // A terminal that takes nothing gets the newest picture once it does, and no queue of old ones.
    blocked = !stdout.write(written);
    if (blocked) {
      stdout.once("drain", () => {
        blocked = false;
        show();
      });
    }
  }

  return {
    size: () => usable(stdout.columns, stdout.rows, alternate),
    draw(rows, cursor) {
      latest = { rows, cursor };
      show();
    },
    close() {
      if (closed) return;
      closed = true;
      stdout.write(endDrawing(alternate, stdout.rows));
      instance.unmount();
      // Whatever happened before: bracketed paste off, and no raw mode.
      stdout.write("\u001b[?2004l");
      if (stdin.isTTY) stdin.setRawMode(false);
    },
  };
}

/** On the primary screen a frame that fills it would scroll what is above out of sight. */
function usable(columns = 80, rows = 24, alternate: boolean) {
  return { columns: Math.max(1, columns), rows: Math.max(1, alternate ? rows : rows - 1) };
}
