/**
 * The terminal of this process: raw mode, the alternate screen, keys, resizing, drawing, and giving
 * it all back.
 *
 * ink was tried first. It draws the whole screen anew for each key, which took 5 to 6 ms of
 * processor time at 120 by 40 against 0.07 here, and it brings 38 packages that `serve` on Deno
 * would fetch as well.
 *
 * @module
 */

import process from "node:process";
import { createInputParser } from "./input_parser.ts";
import { beginDrawing, createPainter, endDrawing, type Place } from "./painter.ts";
import type { Screen, ScreenOptions } from "./types.ts";

/** How long an Esc may be the beginning of a sequence, in ms. */
const ESCAPE_MS = 30;
/** What was typed before the terminal was raw comes now, with a line end for Enter. */
const TYPED_AHEAD_MS = 500;

const CSI = "\u001b[";
const ALTERNATE = `${CSI}?1049h`;
const PRIMARY = `${CSI}?1049l`;
const BRACKETED_PASTE = `${CSI}?2004h`;
const PLAIN_PASTE = `${CSI}?2004l`;
/** The kitty keyboard protocol: asks for it, takes it (level 1), and gives it back. */
const ASK_KITTY = `${CSI}?u`;
const TAKE_KITTY = `${CSI}>1u`;
const DROP_KITTY = `${CSI}<u`;

/** Takes the terminal. */
export function openTerminal({ alternate, put }: ScreenOptions): Screen {
  const { stdin, stdout } = process;
  const openedAt = performance.now();
  const painter = createPainter();
  let closed = false;
  let blocked = false;
  let kitty = false;
  let escape: ReturnType<typeof setTimeout> | undefined;
  let latest: { readonly rows: readonly string[]; readonly cursor: Place } | null = null;
  let size = usable(stdout.columns, stdout.rows, alternate);

  const parser = createInputParser({
    onKittyReply: () => {
      if (closed || kitty) return;
      kitty = true;
      stdout.write(TAKE_KITTY);
    },
  });

  function read(chunk: string | Uint8Array): void {
    clearTimeout(escape);
    const text = String(chunk);
    const early = performance.now() - openedAt < TYPED_AHEAD_MS;
    parser.push(early ? text.replaceAll("\n", "\r") : text).forEach(put);
    if (parser.isWaiting) escape = setTimeout(() => parser.flush().forEach(put), ESCAPE_MS);
  }

  function resized(): void {
    const next = usable(stdout.columns, stdout.rows, alternate);
    if (next.columns === size.columns && next.rows === size.rows) return;
    size = next;
    painter.forget();
    put({ kind: "resize", ...size });
  }

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

  function close(): void {
    if (closed) return;
    closed = true;
    clearTimeout(escape);
    process.off("exit", close);
    stdin.off("data", read);
    stdout.off("resize", resized);
    stdout.write(
      endDrawing(alternate, stdout.rows) + (kitty ? DROP_KITTY : "") + PLAIN_PASTE +
        (alternate ? PRIMARY : "\n"),
    );
    if (stdin.isTTY) stdin.setRawMode(false);
    stdin.pause();
  }

  // By whatever way the process ends.
  process.on("exit", close);
  stdin.setEncoding("utf8");
  stdin.setRawMode(true);
  stdin.on("data", read);
  stdin.resume();
  stdout.on("resize", resized);
  stdout.write(
    (alternate ? ALTERNATE : "") + BRACKETED_PASTE + ASK_KITTY +
      beginDrawing(alternate, stdout.rows),
  );
  return {
    size: () => size,
    checkSize: resized,
    draw(rows, cursor) {
      latest = { rows, cursor };
      show();
    },
    close,
  };
}

/** On the primary screen a frame that fills it would scroll what is above out of sight. */
function usable(columns = 80, rows = 24, alternate: boolean) {
  return { columns: Math.max(1, columns), rows: Math.max(1, alternate ? rows : rows - 1) };
}
