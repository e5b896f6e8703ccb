/**
 * What ink heard of the keyboard, as events of ours.
 *
 * A terminal hands over what was typed in chunks: one may hold letters, Enter and control keys in a
 * row, so text is taken apart here.
 *
 * @module
 */

import type { Key as InkKey } from "ink";
import type { Key, TuiEvent } from "../state/events.ts";

/** Turns one call of ink's `useInput` into events, in the order typed. */
export function eventsOfInput(input: string, key: Partial<InkKey>): readonly TuiEvent[] {
  if (key.eventType === "release") return [];
  const modifiers = {
    ...(key.ctrl === true ? { ctrl: true } : {}),
    ...(key.meta === true ? { alt: true } : {}),
    ...(key.shift === true ? { shift: true } : {}),
  };
  const name = nameOf(key);
  if (name !== null) return [press({ name, ...modifiers })];
  if (key.ctrl === true || key.meta === true) {
    const [letter = ""] = input;
    if (letter === "") return [];
    const rest = [...input].slice(1).join("");
    return [
      press({ name: "letter", letter: letter.toLowerCase(), ...modifiers }),
      ...eventsOfText(rest),
    ];
  }
  return eventsOfText(input);
}

/** Text and control characters, each as what it means. */
export function eventsOfText(text: string): readonly TuiEvent[] {
  const events: TuiEvent[] = [];
  // deno-lint-ignore no-control-regex
  for (const part of text.split(/([\u0000-\u001f\u007f])/)) {
    if (part === "") continue;
    const code = part.charCodeAt(0);
    if (part.length > 1 || (code >= 0x20 && code !== 0x7f)) {
      events.push({ kind: "text", text: part });
      continue;
    }
    const key = keyOfControl(code);
    if (key !== null) events.push(press(key));
  }
  return events;
}

function nameOf(key: Partial<InkKey>): Key["name"] | null {
  if (key.return === true) return "enter";
  if (key.escape === true) return "escape";
  if (key.tab === true) return "tab";
  if (key.backspace === true) return "backspace";
  if (key.delete === true) return "delete";
  if (key.upArrow === true) return "up";
  if (key.downArrow === true) return "down";
  if (key.leftArrow === true) return "left";
  if (key.rightArrow === true) return "right";
  if (key.pageUp === true) return "pageup";
  if (key.pageDown === true) return "pagedown";
  if (key.home === true) return "home";
  if (key.end === true) return "end";
  return null;
}

/** ASCII control characters, as terminals send keys (ECMA-48; Ctrl takes the upper bits off). */
function keyOfControl(code: number): Key | null {
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

function press(key: Key): TuiEvent {
  return { kind: "key", key };
}
