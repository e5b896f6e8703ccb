import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { pageFindings } from "../../../src/apps/check/html_references.ts";
import { splitSrcset } from "../../../src/apps/check/html_urls.ts";

/** Addresses with their uses; those that are not sure have a question mark, CORS a plus. */
function found(html: string): string {
  return pageFindings(html).references.map(({ url, use, certain, cors }) =>
    `${use}${certain ? "" : "?"}${cors ? "+" : ""} ${url}`
  ).join(", ");
}

describe("pageFindings()", () => {
  const cases: readonly [html: string, references: string][] = [
    ["<script src=a.js></script>", "script a.js"],
    ["<script type=module src=a.js></script>", "module+ a.js"],
    ["<script nomodule src=a.js></script>", "script? a.js"],
    ["<script type='text/javascript' src=' a.js\n'></script>", "script a.js"],
    ["<script type='text/template' src=a.js></script>", ""],
    ["<link rel='Alternate Stylesheet' href=a.css>", "style a.css"],
    ["<link rel='shortcut icon' href=a.ico><link rel=canonical href=b>", "image a.ico"],
    ["<link rel=modulepreload href=a.js><link rel=manifest href=b>", "module+ a.js, manifest b"],
    [
      "<link rel=preload as=font href=a crossorigin><link rel=prefetch href=b>",
      "font+ a, connect? b",
    ],
    ["<img src=a.png srcset='b.png 1x, c.png 2x'>", "image a.png, image b.png, image c.png"],
    ["<img src=a crossorigin>", "image+ a"],
    [
      "<picture><source srcset=a><source src=b></picture><video><source src=c></video>",
      [
        ...["image a", "image? b", "media? c"],
      ].join(", "),
    ],
    ["<video src=a poster=b></video><audio src=c></audio>", "media a, image b, media c"],
    ["<object data=a></object><embed src=b><iframe src=c></iframe>", "object a, object b, frame c"],
    ["<input type=image src=a><input src=b>", "image a"],
    ["<a href=a></a><area href=b><form action=c></form>", "navigation? a, navigation? b, form? c"],
    ["<svg><image href=a /><use xlink:href='b#c' /></svg>", "image a, image b#c"],
    ["<meta http-equiv=Refresh content='5; URL=a'>", "navigation? a"],
    ["<p style='background: url(a)'>", "image a"],
    ["<style>@import 'a'; b { c: url(d) }</style>", "style a, image d"],
    ["<script>import('a'); fetch(`b`)</script>", "import?+ a, connect?+ b"],
    ["<script type=module>import 'a'</script>", "import+ a"],
    ["<script type='application/json'>import 'a'</script>", ""],
    ["<template><img src=a></template><img src=b>", "image? a, image b"],
    ["<noscript><img src=a></noscript><!--<img src=b>--><textarea><img src=c></textarea>", ""],
    ["<img src=''><img src='{{ a }}'><a href=''>", "navigation? "],
  ];
  for (const [html, references] of cases) {
    it(`finds ${references || "nothing"} in ${html}`, () => assert.equal(found(html), references));
  }

  it("finds the first base, and scripts that write one", () => {
    const page = pageFindings("<base target=x><base href=a><base href=b>");
    assert.equal(page.base?.value, "a");
    assert.equal(pageFindings("<base target=x>").base, null);
    assert.equal(page.writesBase, false);
    const written = pageFindings("<script>document.write(`<base href=${x}>`)</script>");
    assert.equal(written.writesBase, true);
  });

  it("reads the import map", () => {
    const map = JSON.stringify({ imports: { a: "./a.js", "b/": "./b/", c: 1 } });
    const { imports } = pageFindings(`<script type=importmap>${map}</script>`);
    assert.deepEqual([...imports], [["a", "./a.js"], ["b/", "./b/"]]);
    assert.equal(pageFindings("<script type=importmap>{</script>").imports.size, 0);
  });

  it("notes inline code, and import statements in classic scripts", () => {
    const html = `<p onclick="x()" style="a"><a href="javascript:x()"><style></style>
<script>eval("1")</script><script>import a from "a"</script><script type=module>import "a"</script>`;
    const { hints, misplacedImports } = pageFindings(html);
    assert.deepEqual(hints.map(({ kind }) => kind), [
      ...["inline_script", "inline_style", "inline_script", "inline_style"],
      ...["inline_script", "eval", "inline_script", "inline_script"],
    ]);
    assert.deepEqual(misplacedImports.map((offset) => html.slice(offset, offset + 8)), [
      "import a",
    ]);
  });

  it("tells where each address stands", () => {
    const html = "<p>\n<script>\n fetch('a')</script>\n<img src=b><style>x{y:url(c)}</style>";
    const places = pageFindings(html).references.map(({ offset }) => html.slice(offset));
    assert.ok(places[0]?.startsWith("fetch"));
    assert.ok(places[1]?.startsWith("b>"));
    assert.ok(places[2]?.startsWith("url(c)"));
  });

  it("never throws", () => {
    const piece = fc.constantFrom(
      ...["<script>", "</script>", "<img src=", "<style>", "url(", "`", "${", "}", "/", "'", ">"],
      ...["import", " from ", "<template>", "</template>", "{", "(", "new Worker(", "\\", "\n"],
    );
    const html = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
    fc.assert(fc.property(html, (text) => void pageFindings(text)));
  });
});

describe("splitSrcset()", () => {
  for (
    const [value, urls] of [
      ["a 1x, b 2x", "a b"],
      ["a, b", "a b"],
      ["a,b 1x,c", "a,b c"],
      [" ,, a 100w (x, y), b", "a b"],
      ["data:x,y 1x, b", "data:x,y b"],
      ["a (b, c", "a"],
      ["", ""],
    ] as const
  ) {
    it(`gives [${urls}] for "${value}"`, () => assert.equal(splitSrcset(value).join(" "), urls));
  }
});
