/**
 * What a terminal sends, as events: text, keys with their modifiers, pastes.
 *
 * Sources: ECMA-48 for control sequences, xterm's "Control Sequences" for keys, modifiers and
 * bracketed paste, and the kitty keyboard protocol for `CSI … u`.
 *
 * @module
 */

import type { Key, TuiEvent } from "../state/events.ts";
import { codedKey, controlKey, type Modifiers, modifiersOf, namedKey } from "./key_names.ts";

/** Pastes are cut to this, in UTF-16 units; the text takes less. */
export const MAX_PASTE: number = 256 * 1024;
/** The longest sequence that is waited for to end, in UTF-16 units. */
const MAX_SEQUENCE = 4096;

const ESC = "\u001b";
const PASTE_BEGIN = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;

/** The grammar of ECMA-48 §5.4 and §5.6. */
const PATTERNS = {
  // deno-lint-ignore no-control-regex
  kittyReply: /^\u001b\[\?\d+u$/,
  // deno-lint-ignore no-control-regex
  control: /^\u001b\[[0-?]*[ -/]*[@-~]/,
  // deno-lint-ignore no-control-regex
  controlBegun: /^\u001b\[[0-?]*[ -/]*$/,
  // deno-lint-ignore no-control-regex
  string: /^\u001b[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\)/,
  // deno-lint-ignore no-control-regex
  stringBegun: /^\u001b[\]P_^X][^\u0007\u001b]*\u001b?$/,
} as const;

/** Reads chunks as they come. */
export interface InputParser {
  /** The events that a chunk completes. */
  push(chunk: string): readonly TuiEvent[];
  /** Whether something is kept that may be the beginning of a sequence, or an Esc alone. */
  readonly isWaiting: boolean;
  /** What is kept, now that nothing more came: an Esc that was pressed. */
  flush(): readonly TuiEvent[];
}

/** What the terminal says of itself. */
export interface InputParserOptions {
  /** It knows the kitty keyboard protocol. */
  readonly onKittyReply: () => void;
}

/** Makes a parser. */
export function createInputParser({ onKittyReply }: InputParserOptions): InputParser {
  let rest = "";
  /** The paste so far; `null` outside of one. */
  let paste: string | null = null;

  function take(events: TuiEvent[]): boolean {
    if (paste !== null) return takePaste(events);
    const at = rest.indexOf(ESC);
    if (at !== 0) {
      const plain = at < 0 ? rest : rest.slice(0, at);
      events.push(...eventsOfText(plain));
      rest = rest.slice(plain.length);
      return rest !== "";
    }
    if (rest.startsWith(PASTE_BEGIN)) {
      paste = "";
      rest = rest.slice(PASTE_BEGIN.length);
      return true;
    }
    const length = sequenceLength(rest);
    if (length === null) {
      // It has to end some time: what does not was none.
      if (rest.length > MAX_SEQUENCE) rest = "";
      return false;
    }
    const sequence = rest.slice(0, length);
    rest = rest.slice(length);
    if (PATTERNS.kittyReply.test(sequence)) onKittyReply();
    else events.push(...eventsOfSequence(sequence));
    return rest !== "";
  }

  function takePaste(events: TuiEvent[]): boolean {
    const end = rest.indexOf(PASTE_END);
    // The end may be torn: its beginning stays until the next chunk.
    const torn = end < 0 ? tornEnd(rest) : 0;
    const part = end < 0 ? rest.slice(0, rest.length - torn) : rest.slice(0, end);
    paste = ((paste ?? "") + part).slice(0, MAX_PASTE);
    rest = rest.slice(part.length + (end < 0 ? 0 : PASTE_END.length));
    if (end < 0) return false;
    events.push({ kind: "paste", text: paste });
    paste = null;
    return rest !== "";
  }

  return {
    push(chunk) {
      rest += chunk;
      const events: TuiEvent[] = [];
      while (rest !== "" && take(events)) { /* until all that is whole is taken */ }
      return events;
    },
    get isWaiting() {
      return paste === null && rest !== "";
    },
    flush() {
      if (paste !== null || rest === "") return [];
      const kept = rest;
      rest = "";
      // Half a sequence is no text; Esc and one character are Alt, or what they look like.
      return kept === ESC
        ? [press({ name: "escape" })]
        : kept.length === 2
        ? eventsOfAlt(kept.slice(1))
        : [];
    },
  };
}

/** How much of the end of a text may be the beginning of the end of a paste. */
function tornEnd(text: string): number {
  for (let length = Math.min(PASTE_END.length - 1, text.length); length > 0; length--) {
    if (PASTE_END.startsWith(text.slice(-length))) return length;
  }
  return 0;
}

/** The length of the sequence that a text begins with; `null` where it is not whole. */
function sequenceLength(text: string): number | null {
  const second = text[1];
  if (second === undefined) return null;
  if (second === "[") {
    // The Linux console sends CSI [ and a letter for function keys.
    if (text[2] === "[") return text.length >= 4 ? 4 : null;
    const [whole] = PATTERNS.control.exec(text) ?? [];
    if (whole !== undefined) return whole.length;
    // Something that can't be in it ends it: then it was Esc, and text.
    return PATTERNS.controlBegun.test(text) ? null : 1;
  }
  if (second === "O") return text.length >= 3 ? 3 : null;
  // Strings that terminals answer with: OSC, DCS, APC, PM, SOS; until ST or BEL.
  if (/[\]P_^X]/.test(second)) {
    const [whole] = PATTERNS.string.exec(text) ?? [];
    if (whole !== undefined) return whole.length;
    return PATTERNS.stringBegun.test(text) ? null : 2;
  }
  if (second === ESC) return 1;
  const code = text.codePointAt(1) ?? 0;
  return 1 + String.fromCodePoint(code).length;
}

function eventsOfSequence(sequence: string): readonly TuiEvent[] {
  if (sequence === ESC) return [press({ name: "escape" })];
  const second = sequence[1] ?? "";
  if (second === "[") return eventsOfCsi(sequence.slice(2));
  if (second === "O") return named(sequence[2] ?? "", {});
  if (/[\]P_^X]/.test(second) && sequence.length > 2) return [];
  return eventsOfAlt(sequence.slice(1));
}

/** Esc and a character behind it: Alt held down, or Esc pressed just before. */
function eventsOfAlt(character: string): readonly TuiEvent[] {
  const code = character.charCodeAt(0);
  if (code === 0x0d) return [press({ name: "enter", alt: true })];
  if (code === 0x7f || code === 0x08) return [press({ name: "backspace", alt: true })];
  if (code < 0x20) return [press({ name: "escape" }), ...eventsOfText(character)];
  return [press({ name: "letter", letter: character.toLowerCase(), alt: true })];
}

function eventsOfCsi(body: string): readonly TuiEvent[] {
  const final = body.at(-1) ?? "";
  const parameters = body.slice(0, -1);
  // Answers of the terminal, reports of the mouse and of focus are no keys.
  if (/^[<=>?[]/.test(parameters)) return [];
  const parts = parameters.split(";");
  const [first = "", second = "", third = ""] = parts;
  const [modifiers = "", type = ""] = second.split(":");
  if (type === "3") return [];
  const held = modifiersOf(Number(modifiers || "1"));
  if (final === "~") {
    return first === "27" ? coded(Number(third), held, "") : named(`${first}~`, held);
  }
  if (final === "u") {
    const [code = "", shifted = ""] = first.split(":");
    return coded(Number(code), held, shifted);
  }
  if (final === "Z") return [press({ name: "tab", shift: true })];
  return named(final, held);
}

function named(name: string, held: Modifiers): readonly TuiEvent[] {
  const key = namedKey(name);
  return key === null ? [] : [press({ name: key, ...held })];
}

/** A key by its Unicode code point. */
function coded(code: number, held: Modifiers, shifted: string): readonly TuiEvent[] {
  const key = codedKey(code, held);
  if (key !== null) return [press(key)];
  if (!(code >= 0x20 && code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) return [];
  // Private use: keys that are no characters, such as Caps Lock.
  if (code >= 0xe000 && code <= 0xf8ff) return [];
  const letter = String.fromCodePoint(code);
  if (held.ctrl === true || held.alt === true) {
    return [press({ name: "letter", letter: letter.toLowerCase(), ...held })];
  }
  if (held.shift !== true) return [{ kind: "text", text: letter }];
  const other = Number(shifted);
  const text = other >= 0x20 ? String.fromCodePoint(other) : letter.toUpperCase();
  return [{ kind: "text", text }];
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
    const key = controlKey(code);
    if (key !== null) events.push(press(key));
  }
  return events;
}

function press(key: Key): TuiEvent {
  return { kind: "key", key };
}
