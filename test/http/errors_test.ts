import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Fault } from "../../src/fault.ts";
import { errorResponse } from "../../src/http/errors.ts";

const asProgram = new Request("http://x/a");
const asBrowser = new Request("http://x/a", { headers: { accept: "text/html,*/*" } });

describe("errorResponse()", () => {
  it("sends the envelope when a program asks", async () => {
    const fault = new Fault("not_found", "No such thing", { hint: "Look", context: { a: "b" } });
    const response = errorResponse(fault, asProgram, "/a");
    assert.equal(response.status, 404);
    assert.deepEqual(await response.json(), {
      ok: false,
      error: "No such thing",
      code: "not_found",
      hint: "Look",
      context: { a: "b" },
    });
  });

  it("adds WWW-Authenticate to 401 and Retry-After to 503", () => {
    const unauthorized = errorResponse(new Fault("auth_required", "x"), asProgram, "/");
    assert.match(unauthorized.headers.get("www-authenticate") ?? "", /^Bearer/);
    const busy = errorResponse(new Fault("app_asset_busy", "x"), asProgram, "/");
    assert.equal(busy.headers.get("retry-after"), "1");
  });

  it("sends a page with the same status when a browser navigates", async () => {
    const response = errorResponse(new Fault("not_found", "No"), asBrowser, "/a", {
      renderPage: (page) => ({
        html: `<p>${page.sentence} ${page.path}`,
        csp: "default-src 'none'",
      }),
    });
    assert.equal(response.status, 404);
    assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
    assert.equal(await response.text(), "<p>No /a");
  });

  it("hides what went wrong inside and tells the log when it is no Fault", async () => {
    const seen: unknown[] = [];
    const error = new Error("secret /home/x");
    const response = errorResponse(error, asProgram, "/", {
      onUnexpected: (unexpected) => seen.push(unexpected),
    });
    assert.equal(response.status, 500);
    assert.doesNotMatch(await response.text(), /secret|home/);
    assert.deepEqual(seen, [error]);
  });
});
