import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { safeNext } from "../../src/web/sign_in/next.ts";

const ORIGIN = "http://127.0.0.1:7878";
const nextOf = (path: string) => safeNext("?next=" + encodeURIComponent(path), ORIGIN);

test("safeNext() goes back to a path of this origin", () => {
  for (const path of ["/", "/apps/main/a/", "/apps/main/a/?x=//y#z", "/a%2F..%2Fb"]) {
    assert.equal(nextOf(path), ORIGIN + path);
  }
});

test("safeNext() leads nowhere else", () => {
  const evil = [
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "https://evil.example/",
    "http:evil.example",
    "javascript:alert(1)",
    " //evil.example",
    "evil",
    "",
    "///evil.example",
    "//127.0.0.1:9999/",
  ];
  for (const path of evil) assert.equal(nextOf(path), "/", JSON.stringify(path));
  assert.equal(safeNext("", ORIGIN), "/");
});

test("safeNext() stays on this origin when its answer is resolved once more", () => {
  // Dot segments vanish when resolved: what is left may begin with two slashes.
  for (const path of ["/.//evil.example", "/x/..//evil.example", "/%2e//evil.example"]) {
    assert.equal(new URL(nextOf(path), ORIGIN).origin, ORIGIN, path);
  }
  const piece = fc.constantFrom(
    "/",
    "\\",
    ".",
    "..",
    "%2e",
    "\t",
    "evil.example",
    ":",
    "@",
    "?",
    "#",
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
    const path = pieces.join("");
    assert.equal(new URL(nextOf(path), ORIGIN).origin, ORIGIN, path);
  }));
});

test("safeNext() never goes back to the sign-in page", () => {
  assert.equal(nextOf("/sign-in?next=/sign-in"), "/");
});
