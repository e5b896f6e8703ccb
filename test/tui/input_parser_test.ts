import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createInputParser, MAX_PASTE } from "../../src/tui/screen/input_parser.ts";
import type { TuiEvent } from "../../src/tui/state/events.ts";

const ESC = "\u001b";
const key = (name: string, more: object = {}) => ({ kind: "key", key: { name, ...more } });
const letter = (it: string, more: object) => key("letter", { letter: it, ...more });
const text = (value: string) => ({ kind: "text", text: value });
const paste = (value: string) => ({ kind: "paste", text: value });

/** What chunks come to, once nothing more follows. */
function parse(...chunks: readonly string[]): readonly TuiEvent[] {
  const parser = createInputParser({ onKittyReply: () => {} });
  const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.flush()];
  assert.equal(parser.isWaiting, false);
  return events;
}

/** Text that came in several parts, as one. */
function joined(events: readonly TuiEvent[]): readonly TuiEvent[] {
  const all: TuiEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (event.kind === "text" && last?.kind === "text") {
      all[all.length - 1] = { kind: "text", text: last.text + event.text };
    } else {
      all.push(event);
    }
  }
  return all;
}

describe("createInputParser()", () => {
  it("takes apart what came in one chunk", () => {
    assert.deepEqual(parse("hé👍🏽\rab\u000f"), [
      text("hé👍🏽"),
      key("enter"),
      text("ab"),
      letter("o", { ctrl: true }),
    ]);
    assert.deepEqual(parse(`a\u007fb\t\n${ESC}[Ac`), [
      text("a"),
      key("backspace"),
      text("b"),
      key("tab"),
      letter("j", { ctrl: true }),
      key("up"),
      text("c"),
    ]);
  });

  it("knows the keys of different terminals, with their modifiers", () => {
    const known: readonly (readonly [string, object])[] = [
      ["[A", key("up")],
      ["OA", key("up")],
      ["[1;5C", key("right", { ctrl: true })],
      ["[1;3D", key("left", { alt: true })],
      ["[1;2H", key("home", { shift: true })],
      ["OF", key("end")],
      ["[4~", key("end")],
      ["[3~", key("delete")],
      ["[5~", key("pageup")],
      ["[6~", key("pagedown")],
      ["[Z", key("tab", { shift: true })],
      ["OM", key("enter")],
      ["\r", key("enter", { alt: true })],
      ["\u007f", key("backspace", { alt: true })],
      ["b", letter("b", { alt: true })],
      // Shift+Enter, as the kitty protocol and as xterm's modifyOtherKeys send it.
      ["[13;2u", key("enter", { shift: true })],
      ["[27;2;13~", key("enter", { shift: true })],
      ["[27u", key("escape")],
      ["[99;5u", letter("c", { ctrl: true })],
      ["[111;5:1u", letter("o", { ctrl: true })],
      ["[57419u", key("up")],
      ["[1;1:2B", key("down")],
      ["[97;2u", text("A")],
      ["[49:33;2u", text("!")],
      ["[228u", text("ä")],
    ];
    for (const [sequence, event] of known) {
      assert.deepEqual(parse(ESC + sequence), [event], JSON.stringify(sequence));
    }
  });

  it("lets go by what is no key", () => {
    for (
      const sequence of [
        "[?62;4c",
        "[>0;276;0c",
        "[?2026;2$y",
        "[I",
        "[O",
        "[24;80R",
        "[<0;10;10M",
        "[[A",
        "[15~",
        "[2~",
        "[1;1:3A",
        "[97;1:3u",
        "[57358u",
        "[99999999999u",
        "]11;rgb:0000/0000/0000\u0007",
        "]11;rgb:0000/0000/0000\u001b\\",
        "P>|xterm(388)\u001b\\",
        "_Gi=1;OK\u001b\\",
      ]
    ) {
      assert.deepEqual(parse(`${ESC}${sequence}x`), [text("x")], JSON.stringify(sequence));
    }
  });

  it("tells of a terminal that speaks the kitty protocol", () => {
    let told = 0;
    const parser = createInputParser({ onKittyReply: () => told++ });
    assert.deepEqual(parser.push(`${ESC}[?0ua`), [text("a")]);
    assert.equal(told, 1);
  });

  it("waits with an Esc until it is clear what it is", () => {
    const parser = createInputParser({ onKittyReply: () => {} });
    assert.deepEqual(parser.push(ESC), []);
    assert.equal(parser.isWaiting, true);
    assert.deepEqual(parser.push("[A"), [key("up")]);
    parser.push(ESC);
    assert.deepEqual(parser.flush(), [key("escape")]);
    assert.deepEqual(parse(ESC + ESC), [key("escape"), key("escape")]);
    assert.deepEqual(parse(`${ESC}\u000f`), [key("escape"), letter("o", { ctrl: true })]);
    assert.deepEqual(parse(`${ESC}[1;5`), []);
  });

  it("gives a paste whole, and takes nothing in it for a key", () => {
    const pasted = `line\r\n/quit\r${ESC}[A${ESC}[13;2u`;
    assert.deepEqual(parse(`a${ESC}[200~${pasted}${ESC}[201~b`), [
      text("a"),
      paste(pasted),
      text("b"),
    ]);
    assert.deepEqual(parse(`${ESC}[200~ab`, "cd", `${ESC}[20`, "1~e"), [paste("abcd"), text("e")]);
    assert.deepEqual(parse(`${ESC}[200~${ESC}[20`, `0~${ESC}[201~`), [paste(`${ESC}[200~`)]);
    const huge = parse(
      `${ESC}[200~`,
      ..."x".repeat(8).split("").map((it) => it.repeat(MAX_PASTE)),
      `${ESC}[201~`,
    );
    assert.equal(huge[0]?.kind === "paste" && huge[0].text.length, MAX_PASTE);
  });

  it("gives the same however its chunks are cut", () => {
    const part = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 5 }),
      fc.constantFrom(
        "\r",
        "\u0003",
        "\u007f",
        `${ESC}[A`,
        `${ESC}OB`,
        `${ESC}[1;5C`,
        `${ESC}[13;2u`,
        `${ESC}\r`,
        `${ESC}[?0u`,
        `${ESC}]0;t\u0007`,
        `${ESC}[200~p\ra${ESC}st${ESC}[201~`,
      ),
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 10 }),
        fc.array(fc.nat({ max: 6 })),
        (parts, cuts) => {
          const all = parts.join("");
          const chunks: string[] = [];
          let rest = all;
          for (const cut of cuts) {
            chunks.push(rest.slice(0, cut));
            rest = rest.slice(cut);
          }
          assert.deepEqual(joined(parse(...chunks, rest)), joined(parse(all)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("never fails and never grows, whatever comes", () => {
    const anything = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom(ESC, `${ESC}[`, `${ESC}]`, `${ESC}P`, `${ESC}[200~`, ";", "0", "~", "u"),
    );
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 30 }), (chunks) => {
        for (const event of parse(...chunks, `${ESC}[201~`)) {
          // deno-lint-ignore no-control-regex
          if (event.kind === "text") assert.doesNotMatch(event.text, /[\u0000-\u001f\u007f]/);
        }
      }),
      { numRuns: 500 },
    );
    const parser = createInputParser({ onKittyReply: () => {} });
    for (let count = 0; count < 1000; count++) parser.push(`${ESC}]${"x".repeat(100)}`);
    parser.flush();
    assert.deepEqual(parser.push("a"), [text("a")]);
  });
});
