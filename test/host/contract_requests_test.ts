import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { get, rawRequest } from "../support/raw_http.ts";
import { type Contract, startContract } from "./contract_fixture.ts";

let contract: Contract;
before(async () => {
  contract = await startContract();
});
after(() => contract.stop());

/** The status and code of the answer to raw bytes. */
async function refusal(bytes: string | Uint8Array): Promise<string> {
  const response = await rawRequest(contract.target, bytes, { head: false });
  const { ok, code, error } = response.json();
  assert.equal(ok, false);
  assert.match(error, /^[A-Z].{10,}$/);
  assert.equal(response.header("connection"), "close");
  return `${response.status} ${code}`;
}

/** A request with these lines after the request line. */
function request(requestLine: string, ...lines: string[]): string {
  return [requestLine, ...lines, "", ""].join("\r\n");
}

describe("listener: request targets", () => {
  const raw = [
    "/a/../b",
    "/../../etc/passwd",
    "/a/%2e%2e/b",
    "/a\\..\\b",
    "//evil.example/x",
    "/a//b",
    "/a%00b%zz%ff",
    '/"<>^`{|}',
    "/echo?a=/../b",
    "/a#frag",
  ];
  for (const target of raw) {
    it(`hands over ${target} as it came in`, async () => {
      const response = await rawRequest(contract.target, get(target));
      assert.equal(response.status, 200);
      assert.equal(response.json().target, target);
      assert.doesNotThrow(() => new URL(response.json().url));
    });
  }

  it("takes the host of an absolute form", async () => {
    const bytes = request("GET http://Other.example:80/p?q HTTP/1.1", "Host: localhost");
    const { target, host, url, headers } = (await rawRequest(contract.target, bytes)).json();
    assert.equal(target, "http://Other.example:80/p?q");
    assert.equal(host, "Other.example:80");
    assert.equal(url, "http://other.example/p?q");
    assert.deepEqual(headers.find(([name]: [string]) => name === "host"), ["host", host]);
  });

  const refused: readonly (readonly [string, string])[] = [
    ["GET a/b HTTP/1.1", "400 bad_request"],
    ["GET * HTTP/1.1", "400 bad_request"],
    ["GET ftp://localhost/ HTTP/1.1", "400 bad_request"],
    ["GET http:///p HTTP/1.1", "400 bad_request"],
    ["GET http://user@localhost/p HTTP/1.1", "400 bad_request"],
    ["GET http://localhost#x HTTP/1.1", "200"],
    ["GET /a b HTTP/1.1", "400 bad_request"],
    ["GET  /a HTTP/1.1", "400 bad_request"],
    ["GET /a\tHTTP/1.1", "400 bad_request"],
    ["GET /\u00e9 HTTP/1.1", "400 bad_request"],
    ["GET /a HTTP/2.0", "505 unsupported_http_version"],
    ["GET /a HTTP/1.2", "505 unsupported_http_version"],
    ["GET /a http/1.1", "400 bad_request"],
    ["GET /a HTTP/1.1 ", "400 bad_request"],
    ["GET /a", "400 bad_request"],
    ["PRI * HTTP/2.0", "505 unsupported_http_version"],
    ["CONNECT localhost:80 HTTP/1.1", "501 not_implemented"],
    ["TRACE / HTTP/1.1", "501 not_implemented"],
    ["get / HTTP/1.1", "501 not_implemented"],
    ["G@T / HTTP/1.1", "400 bad_request"],
    [`GET /${"a".repeat(8192)} HTTP/1.1`, "414 uri_too_long"],
    [`GET /${"a".repeat(70_000)} HTTP/1.1`, "414 uri_too_long"],
  ];
  for (const [line, answer] of refused) {
    it(`answers ${answer} to ${line.slice(0, 40)}`, async () => {
      if (answer === "200") {
        const response = await rawRequest(contract.target, request(line, "Host: localhost"));
        assert.equal(response.status, 200);
        return;
      }
      assert.equal(await refusal(request(line, "Host: localhost")), answer);
    });
  }

  it("accepts a target of exactly 8 KiB and unknown methods", async () => {
    const target = `/${"a".repeat(8191)}`;
    assert.equal((await rawRequest(contract.target, get(target))).json().target, target);
    const bytes = request("BREW /pot HTTP/1.1", "Host: localhost");
    assert.equal((await rawRequest(contract.target, bytes)).json().method, "BREW");
  });

  it("accepts OPTIONS of the whole server", async () => {
    const bytes = request("OPTIONS * HTTP/1.1", "Host: localhost");
    assert.equal((await rawRequest(contract.target, bytes)).json().target, "*");
  });
});

describe("listener: hosts", () => {
  const sound = ["localhost", "LOCALHOST:7878", "127.0.0.1:1", "[::1]:7878", "a-b.c_d~e", "h:"];
  for (const host of sound) {
    it(`hands over ${host}`, async () => {
      const bytes = request("GET /echo HTTP/1.1", `Host: ${host}`);
      assert.equal((await rawRequest(contract.target, bytes)).json().host, host);
    });
  }
  const unsound = [
    "",
    "h/x/y",
    "h#x",
    "h?x",
    "user@h",
    "h:80:80",
    "h:99999",
    "h:8a",
    "h x",
    "h\\x",
    "a,b",
    "h%2fx",
    "[::1",
    "[::g]",
    "999.1.1.1",
    "h\u00e9",
    "<script>",
  ];
  for (const host of unsound) {
    it(`answers 400 to the host "${host}"`, async () => {
      const bytes = request("GET /echo HTTP/1.1", `Host: ${host}`);
      assert.equal(await refusal(bytes), "400 bad_request");
    });
  }

  it("answers 400 without a host or with two", async () => {
    assert.equal(await refusal(request("GET / HTTP/1.1")), "400 bad_request");
    const twice = request("GET / HTTP/1.1", "Host: h", "Host: h");
    assert.equal(await refusal(twice), "400 bad_request");
  });

  it("lets an HTTP/1.0 client name no host, and closes", async () => {
    const connection = await contract.connect();
    connection.write(request("GET /echo HTTP/1.0"));
    const response = await connection.response();
    assert.equal(response.json().host, null);
    assert.equal(response.header("connection"), "close");
    assert.equal(await connection.ended(), "fin");
  });
});

describe("listener: header lines", () => {
  const refused: readonly (readonly [name: string, lines: string[], answer: string])[] = [
    ["a blank before the colon", ["X : y"], "400 bad_request"],
    ["a folded line", ["X: a", " b"], "400 bad_request"],
    ["a blank at the front", [" X: a"], "400 bad_request"],
    ["a line without a colon", ["X"], "400 bad_request"],
    ["an empty name", [": x"], "400 bad_request"],
    ["a NUL", ["X: a\0b"], "400 bad_request"],
    ["a bare CR", ["X: a\rb"], "400 bad_request"],
    ["a bare LF", ["X: a\nY: b"], "400 bad_request"],
    ["a DEL", ["X: \x7f"], "400 bad_request"],
    ["40,000 bytes", [`Cookie: ${"a".repeat(40_000)}`], "431 headers_too_large"],
    ["70,000 bytes in one line", [`X: ${"a".repeat(70_000)}`], "431 headers_too_large"],
    ["200 lines", new Array(200).fill("X: a"), "431 headers_too_large"],
  ];
  for (const [name, lines, answer] of refused) {
    it(`answers ${answer} to ${name}`, async () => {
      const bytes = request("GET /echo HTTP/1.1", "Host: localhost", ...lines);
      assert.equal(await refusal(bytes), answer);
    });
  }

  it("answers 400 to line ends without CR, at once", async () => {
    assert.equal(await refusal("GET / HTTP/1.1\nHost: localhost\n\n"), "400 bad_request");
    assert.equal(await refusal("GET / HTTP/1.1\n"), "400 bad_request");
  });

  it("answers 400 to a TLS greeting", async () => {
    assert.equal(await refusal(Uint8Array.of(0x16, 3, 1, 2, 0, 1, 0, 1)), "400 bad_request");
  });

  it("accepts a cookie of 15,500 bytes and one that comes in pieces", async () => {
    const cookie = "c".repeat(15_500);
    const bytes = get("/echo", `Cookie: ${cookie}`);
    const whole = await rawRequest(contract.target, bytes);
    assert.deepEqual(whole.json().headers.find(([name]: [string]) => name === "cookie"), [
      "cookie",
      cookie,
    ]);
    const connection = await contract.connect();
    for (let at = 0; at < bytes.length; at += 1000) connection.write(bytes.slice(at, at + 1000));
    assert.equal((await connection.response()).status, 200);
    connection.close();
  });

  it("joins cookies by semicolons and other lines by commas", async () => {
    const bytes = get(
      "/echo",
      "Cookie: a=1",
      "Range: bytes=0-0",
      "Cookie: b=2",
      "Range: bytes=1-1",
    );
    const headers = new Map((await rawRequest(contract.target, bytes)).json().headers);
    assert.equal(headers.get("cookie"), "a=1; b=2");
    assert.equal(headers.get("range"), "bytes=0-0, bytes=1-1");
  });

  it("hands over every header, also those that fetch forbids", async () => {
    const names = ["Connection", "Date", "Origin", "Referer", "Sec-Fetch-Site", "TE", "Via"];
    const bytes = get("/echo", ...names.map((name) => `${name}: x`));
    const headers = new Map((await rawRequest(contract.target, bytes)).json().headers);
    for (const name of names) assert.equal(headers.get(name.toLowerCase()), "x", name);
  });

  it("passes over empty lines before a request", async () => {
    const response = await rawRequest(contract.target, `\r\n\r\n${get("/echo")}`);
    assert.equal(response.status, 200);
  });

  it("tells a browser in a page why its headers are refused", async () => {
    const bytes = get("/", "Accept: text/html,*/*", `Cookie: ${"a".repeat(40_000)}`);
    const response = await rawRequest(contract.target, bytes);
    assert.equal(response.status, 431);
    assert.match(response.header("content-type") ?? "", /^text\/html/);
    assert.match(response.text(), /cookies/);
  });
});

describe("listener: request framing", () => {
  const post = (lines: string[], body: string) =>
    request("POST /upload HTTP/1.1", "Host: localhost", ...lines) + body;
  const refused: readonly (readonly [string, string[], string, string])[] = [
    ["both framings", ["Content-Length: 5", "Transfer-Encoding: chunked"], "0\r\n\r\n", "400"],
    ["two lengths", ["Content-Length: 5", "Content-Length: 5"], "hello", "400"],
    ["a list of lengths", ["Content-Length: 5, 5"], "hello", "400"],
    ["a signed length", ["Content-Length: +5"], "hello", "400"],
    ["a negative length", ["Content-Length: -5"], "hello", "400"],
    ["a hexadecimal length", ["Content-Length: 0x5"], "hello", "400"],
    ["an empty length", ["Content-Length:"], "hello", "400"],
    ["an endless length", ["Content-Length: 99999999999999999999"], "", "413"],
    ["two codings", ["Transfer-Encoding: gzip, chunked"], "0\r\n\r\n", "501"],
    ["a coding by another name", ["Transfer-Encoding: xchunked"], "0\r\n\r\n", "501"],
    ["identity", ["Transfer-Encoding: identity"], "", "501"],
    ["chunked twice", ["Transfer-Encoding: chunked, chunked"], "0\r\n\r\n", "400"],
    ["an empty coding", ["Transfer-Encoding:"], "0\r\n\r\n", "400"],
    ["two lines of codings", ["Transfer-Encoding: chunked", "Transfer-Encoding: a"], "", "400"],
    ["a bad size", ["Transfer-Encoding: chunked"], "5x\r\nhello\r\n0\r\n\r\n", "400"],
    ["a signed size", ["Transfer-Encoding: chunked"], "+5\r\nhello\r\n0\r\n\r\n", "400"],
    ["a prefixed size", ["Transfer-Encoding: chunked"], "0x5\r\nhello\r\n0\r\n\r\n", "400"],
    ["a blank after a size", ["Transfer-Encoding: chunked"], "5 \r\nhello\r\n0\r\n\r\n", "400"],
    ["a size ended by LF", ["Transfer-Encoding: chunked"], "5\nhello\r\n0\r\n\r\n", "400"],
    ["a chunk ended by LF", ["Transfer-Encoding: chunked"], "5\r\nhello\n0\r\n\r\n", "400"],
    ["a chunk too long", ["Transfer-Encoding: chunked"], "4\r\nhello\r\n0\r\n\r\n", "400"],
    ["a size too long", ["Transfer-Encoding: chunked"], `${"0".repeat(300)}\r\n`, "400"],
    ["a folded trailer", ["Transfer-Encoding: chunked"], "0\r\nX: a\r\n b\r\n\r\n", "400"],
  ];
  for (const [name, lines, body, status] of refused) {
    it(`answers ${status} to ${name}`, async () => {
      assert.equal((await refusal(post(lines, body))).slice(0, 3), status);
    });
  }

  it("answers 400 to a transfer coding in HTTP/1.0", async () => {
    const bytes = request("POST /upload HTTP/1.0", "Transfer-Encoding: chunked") + "0\r\n\r\n";
    assert.equal(await refusal(bytes), "400 bad_request");
  });

  it("reads bodies by length and by chunks, extensions and trailers passed over", async () => {
    const connection = await contract.connect();
    connection.write(post(["Content-Length: 5"], "hello"));
    connection.write(
      post(["Transfer-Encoding: Chunked"], "2;a=b\r\nhe\r\n003\r\nllo\r\n0\r\nX-T: 1\r\n\r\n"),
    );
    const first = await connection.response();
    const second = await connection.response();
    assert.equal(first.json().size, 5);
    assert.deepEqual(second.json(), first.json());
    connection.close();
  });

  it("reads a body that comes in byte by byte", async () => {
    const connection = await contract.connect();
    const bytes = post(["Transfer-Encoding: chunked"], "5\r\nhello\r\n0\r\n\r\n");
    for (const byte of bytes) {
      connection.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal((await connection.response()).json().size, 5);
    connection.close();
  });

  it("answers requests that come in together in order", async () => {
    const connection = await contract.connect();
    const targets = ["/slow?ms=80", "/text?n=1", "/pieces", "/file?n=100000", "/text?n=3"];
    connection.write(targets.map((target) => get(target)).join(""));
    const bodies = [];
    for (const _ of targets) bodies.push((await connection.response()).body.length);
    assert.deepEqual(bodies, [4, 1, 13, 100_000, 3]);
    connection.close();
  });

  it("gives GET requests with a body no body, and stays in step", async () => {
    const connection = await contract.connect();
    connection.write(get("/echo", "Content-Length: 5") + "hello" + get("/text?n=2"));
    assert.equal((await connection.response()).json().body, "");
    assert.equal((await connection.response()).text(), "xx");
    connection.close();
  });

  it("answers what was asked before a malformed request, and then 400", async () => {
    const connection = await contract.connect();
    connection.write(`${get("/text?n=2")}BAD\r\n\r\n${get("/text")}`);
    assert.equal((await connection.response()).text(), "xx");
    assert.equal((await connection.response()).status, 400);
    assert.equal(await connection.ended(), "fin");
  });
});
