/**
 * Keys by what terminals send for them.
 *
 * @module
 */

import type { Key } from "../state/events.ts";

/** Modifiers that are held down; absent where they are not. */
export interface Modifiers {
  readonly shift?: boolean;
  readonly alt?: boolean;
  readonly ctrl?: boolean;
}

/** Finals of CSI and SS3, and numbers before a tilde. */
const NAMED: Readonly<Record<string, Key["name"]>> = {
  "A": "up",
  "B": "down",
  "C": "right",
  "D": "left",
  "F": "end",
  "H": "home",
  "M": "enter",
  "1~": "home",
  "3~": "delete",
  "4~": "end",
  "5~": "pageup",
  "6~": "pagedown",
  "7~": "home",
  "8~": "end",
};

/** Code points of keys; those of the keypad are the kitty protocol's. */
const CODED: Readonly<Record<number, Key["name"]>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
  57414: "enter",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
  57421: "pageup",
  57422: "pagedown",
  57423: "home",
  57424: "end",
  57426: "delete",
};

/** The key of a final; `null` for those that mean nothing here. */
export function namedKey(final: string): Key["name"] | null {
  return NAMED[final] ?? null;
}

/** The key of a code point; `null` for characters. */
export function codedKey(code: number, held: Modifiers): Key | null {
  const name = CODED[code];
  return name === undefined ? null : { name, ...held };
}

/** A parameter of modifiers: one more than the sum of their bits. */
export function modifiersOf(parameter: number): Modifiers {
  const bits = Number.isFinite(parameter) ? Math.max(0, parameter - 1) : 0;
  return {
    ...((bits & 1) === 0 ? {} : { shift: true }),
    ...((bits & 2) === 0 ? {} : { alt: true }),
    ...((bits & 4) === 0 ? {} : { ctrl: true }),
  };
}

/** The key of a control character: Ctrl takes the upper bits off a letter. */
export function controlKey(code: number): Key | null {
  switch (code) {
    case 0x08:
    case 0x7f:
      return { name: "backspace" };
    case 0x09:
      return { name: "tab" };
    case 0x0d:
      return { name: "enter" };
    case 0x1b:
      return { name: "escape" };
    default:
      return code >= 1 && code <= 26
        ? { name: "letter", letter: String.fromCharCode(code + 96), ctrl: true }
        : null;
  }
}
