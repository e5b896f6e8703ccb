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
  // As they stand in an address, encoded once, twice or not at all.
  const queries = [
    "?next=//evil.example",
    "?next=/\\evil.example",
    "?next=%2F%2Fevil.example",
    "?next=/%5Cevil.example",
    "?next=/%09/evil.example",
    "?next=%252F%252Fevil.example",
    "?next=%6Aavascript:alert(1)",
    "?next=%20https://evil.example",
    "?next=//evil.example&next=/",
    "?next=data:text/html,x",
    "?next=blob:http://127.0.0.1:7878/x",
    "?next=http://127.0.0.1:7878@evil.example/",
  ];
  for (const query of queries) assert.equal(safeNext(query, ORIGIN), "/", query);
  // Escapes of a path stay escapes: browsers take none of these for a host.
  for (const path of ["/%2Fevil.example", "/%5Cevil.example", "/@evil.example", "/:x@evil"]) {
    assert.equal(nextOf(path), ORIGIN + path);
  }
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
