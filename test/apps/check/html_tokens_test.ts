import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { htmlTokens } from "../../../src/apps/check/html_tokens.ts";

/** Tags as `<name key=value>` and `</name>`, raw text as `element{text}`. */
function shape(html: string): readonly string[] {
  return [...htmlTokens(html)].map((token) => {
    if (token.kind === "raw") return `${token.element}{${token.text}}`;
    if (token.kind === "end") return `</${token.name}>`;
    const attributes = [...token.attributes].map(([key, { value }]) => ` ${key}=${value}`);
    return `<${token.name}${attributes.join("")}>`;
  });
}

describe("htmlTokens()", () => {
  const cases: readonly [what: string, html: string, shape: readonly string[]][] = [
    ["tags in any case", "<IMG Src=a.png>", ["<img src=a.png>"]],
    ["quotes of both kinds, and none", `<a x="1 >" y='2"' z=3/4>`, [`<a x=1 > y=2" z=3/4>`]],
    ["attributes without a value", "<a x y = 1 z>", ["<a x= y=1 z=>"]],
    ["the first of attributes of one name", "<a x=1 X=2>", ["<a x=1>"]],
    ["slashes between attributes", "<br/><a/x=1/>", ["<br>", "<a x=1/>"]],
    ["nothing in comments", "<!-- <a> --><b><!--><c><!---><d><!-- x --!><e>", [
      ...["<b>", "<c>", "<d>", "<e>"],
    ]],
    ["nothing in doctypes and the like", "<!DOCTYPE html><?xml <a>?><b>", ["<b>"]],
    ["text with angle brackets", "1 < 2 <3 <a>", ["<a>"]],
    ["character references", "<a x='a&amp;b&#38;c&#x26;d&nope;&quot;'>", [`<a x=a&b&c&d&nope;">`]],
    ["scripts as text", "<script>if (a<b) '<img>'</script><b>", [
      ...["<script>", "script{if (a<b) '<img>'}", "</script>", "<b>"],
    ]],
    ["end tags of raw text in any case", "<style>a</sty</STYLE ><b>", [
      ...["<style>", "style{a</sty}", "</style>", "<b>"],
    ]],
    ["titles and noscript as text", "<title><a></title><noscript><img></noscript>", [
      ...["<title>", "title{<a>}", "</title>", "<noscript>", "noscript{<img>}", "</noscript>"],
    ]],
    ["what never ends", "<b><script>x", ["<b>", "<script>", "script{x}"]],
    ["a tag that never ends", "<b><a x='1", ["<b>", "<a x=1>"]],
    ["a comment that never ends", "<b><!-- <a>", ["<b>"]],
  ];
  for (const [what, html, expected] of cases) {
    it(`takes ${what}`, () => assert.deepEqual(shape(html), expected));
  }

  it("tells where tags, values and raw text begin", () => {
    const html = `ab<a x="v"><script>s</script>`;
    const [tag, , script] = htmlTokens(html);
    assert.ok(tag?.kind === "start");
    assert.equal(tag.offset, 2);
    assert.equal(html.slice(tag.attributes.get("x")?.offset)[0], "v");
    assert.ok(script?.kind === "raw");
    assert.equal(html[script.offset], "s");
  });

  it("finds every attribute that is written", () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
    const value = fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/[&"'\r\0]/g, ""));
    const quote = fc.constantFrom('"', "'");
    const attributes = fc.uniqueArray(fc.tuple(name, value, quote), {
      selector: ([key]) => key,
      maxLength: 6,
    });
    fc.assert(fc.property(attributes, fc.string(), (attributes, before) => {
      const text = attributes.map(([key, value, quote]) => ` ${key}=${quote}${value}${quote}`);
      const html = `${before.replaceAll("<", "")}<div${text.join("")}>`;
      const [tag] = htmlTokens(html);
      assert.ok(tag?.kind === "start");
      assert.deepEqual(
        [...tag.attributes].map(([key, { value }]) => [key, value]),
        attributes.map(([key, value]) => [key, value]),
      );
    }));
  });

  it("comes to an end, whatever the text", () => {
    const piece = fc.constantFrom("<", ">", "!--", "-->", "/", "'", '"', "=", "a", " ", "script");
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
    fc.assert(fc.property(fc.oneof(text, fc.string()), (html) => void shape(html)));
  });
});
