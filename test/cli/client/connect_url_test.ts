import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseConnectUrl } from "../../../src/cli/client/connect_url.ts";
import { CliFailure } from "../../../src/cli/failure.ts";

describe("parseConnectUrl()", () => {
  it("takes what a client can dial, without what follows it", () => {
    const cases: readonly [string, string][] = [
      ["http://lab:7878", "http://lab:7878"],
      [" http://lab:7878/ ", "http://lab:7878"],
      ["HTTP://Lab:7878//", "http://lab:7878"],
      ["http://lab:80", "http://lab"],
      ["https://lab.tailnet.ts.net", "https://lab.tailnet.ts.net"],
      ["https://lab:443/#top", "https://lab"],
      ["http://[::1]:7878", "http://[::1]:7878"],
      ["http://[fd00::2]", "http://[fd00::2]"],
      ["http://127.0.0.1:1", "http://127.0.0.1:1"],
      ["https://proxy/holon/", "https://proxy/holon"],
    ];
    for (const [text, url] of cases) assert.equal(parseConnectUrl(text, "--connect"), url, text);
  });

  it("refuses everything else with exit code 2 and a sentence that names the option", () => {
    const cases: readonly [string, RegExp][] = [
      ["", /is empty/],
      ["  ", /is empty/],
      ["lab:7878", /no URL/],
      ["lab", /no URL/],
      ["127.0.0.1:7878", /no URL/],
      ["http:lab", /no URL/],
      ["http:///lab", /no URL/],
      ["http://", /no URL/],
      ["http://:7878", /no URL/],
      ["http://lab:99999", /no URL/],
      ["http://la b", /no URL/],
      ["ftp://lab", /http:\/\/ or https:\/\//],
      ["ws://lab", /http:\/\/ or https:\/\//],
      ["file:///etc/passwd", /no URL/],
      ["unix:///run/holon.sock", /no URL/],
      ["http://me@lab", /user name/],
      ["http://me:secret@lab", /user name/],
      ["http://lab?x=1", /query/],
      ["http://lab/?", /query/],
      ["http://0.0.0.0:7878", /only an address to listen on/],
      ["http://0:7878", /only an address to listen on/],
      ["http://0x0.0/", /only an address to listen on/],
      ["http://[::]:7878", /only an address to listen on/],
      ["http://[0:0:0::0]", /only an address to listen on/],
      ["http://[::ffff:0.0.0.0]", /only an address to listen on/],
      ["http://lab:0", /port 0/],
    ];
    for (const [text, sentence] of cases) {
      assert.throws(() => parseConnectUrl(text, "--connect"), (error) => {
        assert.ok(error instanceof CliFailure, text);
        assert.equal(error.exitCode, 2);
        assert.match(error.message, /^--connect /);
        assert.match(error.message, sentence, text);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      }, text);
    }
  });
});
