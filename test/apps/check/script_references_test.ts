import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { cssReferences } from "../../../src/apps/check/css_references.ts";
import { scriptFindings } from "../../../src/apps/check/script_references.ts";
import { scriptTokens } from "../../../src/apps/check/script_tokens.ts";

const found = (script: string) =>
  scriptFindings(script).references.map(({ url, use, certain, from }) =>
    `${use}${certain ? "" : "?"} ${url}${from === "file" ? "" : " of page"}`
  ).join(", ");

describe("scriptFindings()", () => {
  const cases: readonly [script: string, references: string][] = [
    [`import "./a.js"`, "import ./a.js"],
    [`import a, { b as c, default as d } from './a.js'`, "import ./a.js"],
    [`import * as a from"./a.js";export*from"./b.js"`, "import ./a.js, import ./b.js"],
    [`export { a, b as c } from "./a.js"; export { d }; export const from = "x"`, "import ./a.js"],
    [`import a from "./a.json" with { type: "json" }`, "import ./a.json"],
    [`import { "a-b" as c } from "./a.js"`, "import ./a.js"],
    ["import(`./a.js`).then(x); import('./b' + c)", "import? ./a.js"],
    ["import.meta.url; x.import('a'); ({ import: 'a' })", ""],
    [
      `new Worker("a.js", { type: "module" }); new SharedWorker('b.js')`,
      [
        ...["worker? a.js of page", "worker? b.js of page"],
      ].join(", "),
    ],
    [`new Worker(new URL("a.js", import.meta.url))`, "worker? a.js"],
    [`new URL("a.wasm", import.meta.url); new URL("b", location)`, "connect? a.wasm"],
    [`new Worker(URL.createObjectURL(blob))`, "worker? blob: of page"],
    [`importScripts("a.js")`, "script? a.js of page"],
    [
      `fetch("a.json"); self.fetch('b'); fetch("c" + d); other.fetch("e")`,
      [
        ...["connect? a.json of page", "connect? b of page"],
      ].join(", "),
    ],
    [`navigator.serviceWorker.register("sw.js")`, "worker? sw.js of page"],
    [
      `new EventSource("a"); new WebSocket("wss://b")`,
      "connect? a of page, connect? wss://b of page",
    ],
    [`// fetch("a")\n/* fetch("b") */ "fetch('c')" + 'fetch("d")' + \`fetch("e")\``, ""],
    [
      "`a ${ fetch('b') } c ${ `d ${ fetch('e') }` } fetch('f')`",
      "connect? b of page, connect? e of page",
    ],
    [`a = /fetch("x")[/"]/.test(b); fetch("c")`, "connect? c of page"],
    [`a = b / c; fetch("d"); e = f / g`, "connect? d of page"],
    [`return /"/; fetch("a")`, "connect? a of page"],
    [`x = "unfinished\nfetch("a")`, "connect? a of page"],
    [`fetch("a\\u0062")`, ""],
  ];
  for (const [script, references] of cases) {
    it(`finds ${references || "nothing"} in ${script}`, () => {
      assert.equal(found(script), references);
    });
  }

  it("notes what a policy may forbid", () => {
    const kinds = (script: string) =>
      scriptFindings(script).hints.map(({ kind }) => kind).join(" ");
    assert.equal(kinds(`eval("1"); new Function("a"); setTimeout("b", 1)`), "eval eval eval");
    assert.equal(kinds("setTimeout(() => 1, 2); x.eval('a'); retrieval('b')"), "");
    assert.equal(
      kinds("WebAssembly.instantiateStreaming(x); new WebAssembly.Module(y)"),
      "wasm wasm",
    );
    assert.equal(kinds("window.eval('a')"), "eval");
  });

  it("tells modules from classic scripts", () => {
    const isModule = (script: string) => scriptFindings(script).moduleSyntax !== null;
    for (const script of ["import 'a'", "export default 1", "export const a = 1", "export {}"]) {
      assert.ok(isModule(script), script);
    }
    for (const script of ["import('a')", "import.meta", "exports.a = 1", "'import \"a\"'", ""]) {
      assert.ok(!isModule(script), script);
    }
  });
});

describe("scriptTokens()", () => {
  it("covers the text in order, whatever it is", () => {
    const piece = fc.constantFrom(
      ...["'", '"', "`", "/", "\\", "\n", "${", "{", "}", "(", ")", "[", "]", "a", "1", " ", "//"],
      ...["/*", "*/", "return", ".", "import", "\u00e9", "\ud800"],
    );
    const script = fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join(""));
    fc.assert(fc.property(script, (text) => {
      let last = -1;
      for (const { offset, value } of scriptTokens(text)) {
        assert.ok(offset > last && offset < text.length);
        assert.ok(text.includes(value));
        last = offset;
      }
    }));
  });

  it("gives back strings and templates as they are", () => {
    const content = fc.string().map((text) => text.replaceAll(/[\\"'`$\n\r/]/g, ""));
    fc.assert(fc.property(content, fc.constantFrom('"', "'", "`"), (text, quote) => {
      const [, , token] = scriptTokens(`x=${quote}${text}${quote};`);
      assert.equal(token?.value, text);
    }));
  });

  it("takes a time that grows with the length only", () => {
    for (const text of ["/[".repeat(50_000), '\\"'.repeat(50_000), "import {".repeat(20_000)]) {
      scriptFindings(`x = "${text}`);
    }
  });
});

describe("cssReferences()", () => {
  const css = (text: string) =>
    cssReferences(text).map(({ url, use, certain }) => `${use}${certain ? "" : "?"} ${url}`)
      .join(", ");
  const cases: readonly [text: string, references: string][] = [
    [
      `@import "a.css"; @import url(b.css) screen; @import url('c.css')`,
      "style a.css, style b.css, style c.css",
    ],
    [`a { b: url( "c d.png" ) url('e') url(f) }`, "image c d.png, image e, image f"],
    [
      `@font-face { src: local("x"), url(a.woff2) format("woff2") } b { c: url(d) }`,
      "font? a.woff2, image d",
    ],
    [`/* url(a) */ b::after { content: "url(c)" "\\"url(d)" }`, ""],
    [`@namespace svg url(http://www.w3.org/2000/svg); a { b: URL(c) }`, "image c"],
    [`a { b: url(c\\.png) url("\\64 ") }`, "image c.png, image d"],
    [`a { b: "unfinished\n } c { d: url(e) }`, "image e"],
  ];
  for (const [text, references] of cases) {
    it(`finds ${references || "nothing"} in ${text}`, () => assert.equal(css(text), references));
  }

  it("never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => void cssReferences(text)));
  });
});
