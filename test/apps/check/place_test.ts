import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addressOf, placeOf, rootOf } from "../../../src/apps/check/place.ts";
import { shortestPath, withoutSpecifier } from "../../../src/apps/check/relative_path.ts";

describe("placeOf()", () => {
  const app = { agentId: "main", appId: "shop", hasOwnOrigin: false };
  const cases: readonly [url: string, from: string, expected: string][] = [
    ["a.js", "", "inside a.js"],
    ["a.js?v=1#x", "", "inside a.js"],
    ["", "", "inside "],
    ["../a.js", "sub/page.html", "inside a.js"],
    ["./sub//x/", "", "inside sub/x"],
    ["a%20b", "", "inside a b"],
    ["\u00fc", "", "inside \u00fc"],
    ["/apps/main/shop/x", "sub/p.html", "inside x"],
    ["/apps/other/shop/x", "", "outside /apps/other/shop/x"],
    ["/apps/main/shop2/x", "", "outside /apps/main/shop2/x"],
    ["/x", "", "outside /x"],
    ["../x", "", "outside /apps/main/x"],
    ["../../../../../x", "", "outside /x"],
    ["https://a.example/", "", "external https://a.example/"],
    ["//a.example/x", "", "external http://a.example/x"],
    ["wss://a.example/", "", "external wss://a.example/"],
    ["data:x", "", "local data:"],
    ["mailto:a@b", "", "local mailto:"],
    ["https://", "", "malformed"],
    ["%ff", "", "malformed"],
  ];
  for (const [url, from, expected] of cases) {
    it(`gives ${expected} for "${url}" in "${from}"`, () => {
      const place = placeOf(url, addressOf(app, from), app);
      const rest = place.kind === "inside"
        ? ` ${place.components.join("/")}`
        : place.kind === "outside"
        ? ` ${place.path}`
        : place.kind === "external"
        ? ` ${place.url.href}`
        : place.kind === "local"
        ? ` ${place.scheme}`
        : "";
      assert.equal(place.kind + rest, expected);
    });
  }

  it("takes the app of any agent where none is known", () => {
    const anywhere = { ...app, agentId: null };
    const root = addressOf(anywhere, "");
    assert.equal(placeOf("/apps/lab/shop/x", root, anywhere).kind, "inside");
    assert.equal(placeOf("x", root, anywhere).kind, "inside");
    assert.equal(placeOf("/apps/lab/other/x", root, anywhere).kind, "outside");
  });
});

describe("an origin of its own", () => {
  const app = { agentId: "main", appId: "shop", hasOwnOrigin: true };
  it("has the app at its root", () => {
    for (const url of ["a.js", "/a.js", "../a.js"]) {
      const place = placeOf(url, addressOf(app, "sub/page.html"), app);
      assert.deepEqual(place.kind === "inside" && place.components.at(-1), "a.js");
    }
    assert.equal(rootOf(app, "?"), "/");
    assert.equal(rootOf({ ...app, hasOwnOrigin: false, agentId: null }, "?"), "/apps/?/shop/");
  });
});

describe("shortestPath()", () => {
  const app = { agentId: null, appId: "a", hasOwnOrigin: false };
  for (
    const [from, to, expected] of [
      ["", "x.js", "x.js"],
      ["p.html", "sub/x.js", "sub/x.js"],
      ["sub/p.html", "x.js", "../x.js"],
      ["a/b/p.html", "a/c/x y.js", "../c/x y.js"],
    ] as const
  ) {
    it(`gives ${expected} for ${to} from "${from}"`, () => {
      assert.equal(shortestPath(addressOf(app, from), addressOf(app, to)), expected);
    });
  }
});

describe("withoutSpecifier()", () => {
  const imports = new Map([["a", "./lib/a.js"], ["b/", "./b/"], ["b/c/", "./c/"]]);
  for (
    const [specifier, expected] of [
      ["a", "./lib/a.js"],
      ["b/x.js", "./b/x.js"],
      ["b/c/x.js", "./c/x.js"],
      ["./x.js", "./x.js"],
      ["../x.js", "../x.js"],
      ["/x.js", "/x.js"],
      ["https://a.example/x.js", "https://a.example/x.js"],
      ["react", undefined],
      ["@scope/x", undefined],
    ] as const
  ) {
    it(`gives ${expected} for ${specifier}`, () => {
      assert.equal(withoutSpecifier(specifier, imports)?.url, expected);
    });
  }
});
