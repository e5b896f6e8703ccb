import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { COMMANDS, parseLine } from "../../src/tui/commands/catalog.ts";
import { complete, hintsFor } from "../../src/tui/commands/complete.ts";

const NAMES = { agent: ["main", "maid"], app: ["ping-card"], message: ["msg_1"] };

describe("parseLine()", () => {
  it("knows every command of the catalogue, with and without what may follow", () => {
    for (const { name, argument, optional } of COMMANDS) {
      const alone = parseLine(name);
      assert.equal(alone.kind, optional ? "command" : "wrong", name);
      const more = parseLine(`${name}  two words `);
      assert.equal(more.kind, argument === "none" ? "wrong" : "command", name);
      if (more.kind === "command") assert.equal(more.argument, "two words");
    }
  });

  it("takes other names for the same", () => {
    for (const [typed, name] of [["/q", "/quit"], ["/exit", "/quit"], ["/?", "/help"]]) {
      assert.deepEqual(parseLine(`${typed}`), { kind: "command", name, argument: "" });
    }
    assert.deepEqual(parseLine("/switch main"), {
      kind: "command",
      name: "/agent switch",
      argument: "main",
    });
  });

  it("answers what it doesn't know with a sentence", () => {
    const sentence = (text: string) => {
      const parsed = parseLine(text);
      return parsed.kind === "wrong" ? parsed.sentence : "";
    };
    assert.match(sentence("/helo"), /no command \/helo\. Did you mean \/help\?/);
    assert.match(sentence("/xyzzyplugh"), /no command \/xyzzyplugh\. \/help lists them/);
    assert.match(sentence("/agent"), /needs switch or create/);
    assert.match(sentence("/agent fly main"), /knows switch or create, not "fly"/);
    assert.match(sentence(`/${"x".repeat(5000)}`), /^.{40,200}$/);
  });

  it("lets two slashes begin a text", () => {
    assert.deepEqual(parseLine("//help me"), { kind: "text", text: "/help me" });
    assert.deepEqual(parseLine("see /help"), { kind: "text", text: "see /help" });
  });
});

describe("hints and Tab", () => {
  it("offer commands, then names", () => {
    assert.deepEqual(hintsFor("/ag", NAMES).map((it) => it.line.trim()), [
      "/agents",
      "/agent switch",
      "/agent create",
    ]);
    assert.deepEqual(hintsFor("/agent switch ma", NAMES).map((it) => it.line), [
      "/agent switch main",
      "/agent switch maid",
    ]);
    assert.deepEqual(hintsFor("hello /ag", NAMES), []);
    assert.deepEqual(hintsFor("//ag", NAMES), []);
  });

  it("complete as far as all agree", () => {
    assert.equal(complete("/a", NAMES), "/agents");
    assert.equal(complete("/op", NAMES), "/open ");
    assert.equal(complete("/open p", NAMES), "/open ping-card");
    assert.equal(complete("/agent switch m", NAMES), "/agent switch mai");
    assert.equal(complete("text", NAMES), "text");
  });
});
