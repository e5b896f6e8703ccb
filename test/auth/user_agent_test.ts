import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { clientName } from "../../src/auth/user_agent.ts";

const CASES: readonly (readonly [string, string])[] = [
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
    "Version/19.0 Safari/605.1.15",
    "Safari on macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 " +
    "(KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1",
    "Chrome on iPhone",
  ],
  [
    "Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36",
    "Samsung Internet on Android",
  ],
  ["curl/8.14.1", "curl"],
  ["holon-cli/0.1.0 (node)", "holon-cli"],
  ["Mozilla/5.0", "Unknown program"],
  ["<script>alert(1)</script>", "Unknown program"],
  ["", "Unknown program"],
];

describe("clientName()", () => {
  for (const [userAgent, name] of CASES) {
    it(`calls ${JSON.stringify(userAgent.slice(0, 60))} ${name}`, () => {
      assert.equal(clientName(userAgent), name);
    });
  }

  it("takes no header at all", () => assert.equal(clientName(null), "Unknown program"));
});
