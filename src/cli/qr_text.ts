/**
 * QR codes for a terminal.
 *
 * @module
 */

import { encode } from "uqr";

/** Light modules around the code; the standard asks for four, cameras do with two. */
const BORDER = 2;

/**
 * A code in half blocks, two modules a cell, of which the light ones are drawn.
 *
 * @param inColor whether to say white and black, so that it is no negative on a light terminal
 */
export function qrText(text: string, inColor: boolean): string {
  const { data, size } = encode(text, { border: BORDER });
  const isLight = (row: number, at: number): boolean => row < size && data[row]?.[at] === false;
  const lines: string[] = [];
  for (let row = 0; row < size; row += 2) {
    let cells = "";
    for (let at = 0; at < size; at++) {
      const lower = isLight(row + 1, at);
      cells += isLight(row, at) ? lower ? "█" : "▀" : lower ? "▄" : " ";
    }
    lines.push(inColor ? `\u001b[97;40m${cells}\u001b[0m` : cells);
  }
  return lines.join("\n");
}
