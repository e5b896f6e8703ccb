import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readClientUrl } from "../../../src/cli/access/client_url.ts";
import { CliFailure } from "../../../src/cli/failure.ts";

function refusal(text: string): string {
  try {
    readClientUrl(text, "--connect");
  } catch (error) {
    assert.ok(error instanceof CliFailure && error.exitCode === 2, text);
    assert.ok((error.hint ?? "") !== "", text);
    return error.message;
  }
  throw new assert.AssertionError({ message: `${text} was taken` });
}

describe("readClientUrl()", () => {
  it("drops the fragment and the slash at the end", () => {
    const cases = {
      "http://lab:7878": "http://lab:7878",
      " https://Lab.Example/ ": "https://lab.example",
      "http://lab:7878/#top": "http://lab:7878",
      "http://lab:80//": "http://lab",
      "https://lab/holon/#?x": "https://lab/holon",
      "http://[FD00:0::1]:7878/": "http://[fd00::1]:7878",
      "HTTP://192.168.1.10:7878": "http://192.168.1.10:7878",
    };
    for (const [text, want] of Object.entries(cases)) {
      assert.equal(readClientUrl(text, "--connect").url, want);
    }
    assert.equal(readClientUrl("http://[::1]:1", "x").host, "::1");
    assert.equal(readClientUrl("http://LAB.:1", "x").host, "lab");
  });

  it("refuses every form of the addresses that stand for all", () => {
    const hosts = ["0.0.0.0", "0", "0x0", "0.0", "00.0x0.0", "0.0.0.0.", "%30", "[::]", "[0::0]"];
    for (const host of [...hosts, "[::ffff:0.0.0.0]", "[::ffff:0:0]", "[::0.0.0.0]"]) {
      assert.match(refusal(`http://${host}:7878`), /nobody can dial/, host);
    }
  });

  it("refuses what is no URL that clients dial", () => {
    assert.match(refusal(" "), /is empty/);
    assert.match(refusal("http://lab/?"), /query/);
    assert.match(refusal("http://lab?x=1#y"), /query/);
    assert.match(refusal("http://lab:0"), /port 0/);
    assert.match(refusal("http://*.lab"), /wildcard/);
    const bad = ["lab", "lab:7878", "ws://lab", "http:lab", "http:///x", "http://", "http://a b/"];
    for (const text of [...bad, "http://lab\\x", "http://[::1", "http://lab:70000"]) {
      assert.match(refusal(text), /no http or https URL/, text);
    }
    assert.match(refusal(`http://lab/${"x".repeat(3000)}`), /longer/);
  });

  it("repeats no password", () => {
    for (const text of ["http://me:s3cret@lab", "http:me:s3cret@lab", "me:s3cret@lab"]) {
      assert.ok(!refusal(text).includes("s3cret"), text);
    }
  });
});
