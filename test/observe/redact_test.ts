import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { redact } from "../../src/observe/redact.ts";

describe("redact()", () => {
  const cases: [what: string, text: string, clean: string][] = [
    ["an Authorization header", "authorization: Bearer s3cret", "authorization: [redacted]"],
    ["one in JSON", '{"Authorization":"Basic czM6eA=="}', '{"Authorization":[redacted]'],
    ["a bearer token in a sentence", "sent Bearer s3cret.x/y= here", "sent Bearer [redacted] here"],
    [
      "a Cookie header",
      "GET /\r\nCookie: a=s3cret; b=s3cret\r\nx: y",
      "GET /\r\nCookie: [redacted]\r\nx: y",
    ],
    ["a Set-Cookie header", "set-cookie: holon=s3cret", "set-cookie: [redacted]"],
    [
      "a session cookie by itself",
      "holon_session_7878=s3cret; x",
      "holon_session_7878=[redacted]; x",
    ],
    ["a token in a query", "/a?token=s3cret&b=1#c", "/a?token=[redacted]&b=1#c"],
    ["a ticket in a query", "/a?b=1&ticket=s3cret", "/a?b=1&ticket=[redacted]"],
    [
      "names with more around them",
      "?access_token=s3cret&id_token_hint=s3cret",
      "?access_token=[redacted]&id_token_hint=[redacted]",
    ],
    ["a field in JSON", '{"credential":"s3cret","a":1}', '{"credential":"[redacted]","a":1}'],
    ["a server token by itself", `got holon_${"5".repeat(64)} there`, "got [redacted] there"],
    ["a password in a URL", "https://me:s3cret@host/x", "https://[redacted]@host/x"],
    [
      "nothing",
      "GET /apps/main/card/app.js?v=1 failed: ENOENT",
      "GET /apps/main/card/app.js?v=1 failed: ENOENT",
    ],
  ];
  for (const [what, text, clean] of cases) {
    it(`takes out ${what}`, () => assert.equal(redact(text), clean));
  }

  it("takes out the secrets that it is told, wherever they stand", () => {
    assert.equal(redact("a+b (a+b)", ["a+b", ""]), "[redacted] ([redacted])");
  });

  it("is quick with hostile text", () => {
    for (const piece of ["token", "a:", "://", "cookie:", "bearer ", "_session_", "=", " "]) {
      const begun = performance.now();
      redact(piece.repeat(100_000));
      assert.ok(performance.now() - begun < 1000, piece);
    }
  });

  it("leaves no secret that stands in a place for one", () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9]{8,40}$/);
    const place = fc.constantFrom("?token=", "&api_key=", "Bearer ", "Cookie: x=", "session: ");
    fc.assert(fc.property(fc.lorem(), place, secret, (words, before, text) => {
      assert.ok(!redact(`${words} ${before}${text}`).includes(text));
    }));
  });
});
