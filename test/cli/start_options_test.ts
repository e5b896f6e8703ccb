import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { keyAction } from "../../src/cli/hotkeys.ts";
import { addressText, isLoopback, listenAddress, originOf } from "../../src/cli/listen_address.ts";
import { nodeProblem } from "../../src/cli/runtime_check.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { run } from "./memory_io.ts";

let directory: TempDirectory;
beforeEach(() => void (directory = tempDirectory()));
afterEach(() => directory.remove());

describe("listenAddress()", () => {
  it("takes --listen, --port, HOLON_HTTP_ADDR and the default, in this order", () => {
    const env = { HOLON_HTTP_ADDR: "127.0.0.1:9" };
    assert.equal(addressText(listenAddress({ listen: "[::1]:80" }, env)), "[::1]:80");
    assert.equal(addressText(listenAddress({ port: 0 }, env)), "127.0.0.1:0");
    assert.equal(addressText(listenAddress({}, env)), "127.0.0.1:9");
    assert.equal(addressText(listenAddress({}, { HOLON_HTTP_ADDR: "" })), "127.0.0.1:7878");
    assert.equal(addressText(listenAddress({ listen: "localhost:80" }, {})), "127.0.0.1:80");
  });

  it("refuses what is no address, and two of them", () => {
    const bad = ["", "7878", ":7878", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:80"];
    for (const listen of [...bad, "example.org:80", "http://127.0.0.1:80", "256.0.0.1:1", "*:80"]) {
      assert.throws(
        () => listenAddress({ listen }, {}),
        { name: "CliFailure", exitCode: 2 },
        listen,
      );
    }
    assert.throws(() => listenAddress({ listen: "127.0.0.1:1", port: 1 }, {}), /one of them/);
    assert.throws(() => listenAddress({}, { HOLON_HTTP_ADDR: "x" }), /HOLON_HTTP_ADDR has "x"/);
  });

  it("tells loopback addresses from others", () => {
    const loopback = (listen: string) => isLoopback(listenAddress({ listen }, {}));
    assert.ok(loopback("127.0.0.1:1") && loopback("127.9.9.9:1") && loopback("[::1]:1"));
    assert.ok(!loopback("0.0.0.0:1") && !loopback("[::]:1") && !loopback("10.0.0.1:1"));
  });

  it("gives an origin that this machine can open", () => {
    const origin = (listen: string) => originOf(listenAddress({ listen }, {}));
    assert.equal(origin("0.0.0.0:80"), "http://127.0.0.1:80");
    assert.equal(origin("[::]:80"), "http://[::1]:80");
  });
});

describe("serve refuses", () => {
  async function refusal(args: readonly string[], env: Record<string, string> = {}) {
    const home = join(directory.path, "home");
    const { code, out, err } = await run(["serve", "--port", "0", ...args], { home, env });
    assert.notEqual(code, 0);
    assert.equal(out, "");
    assert.match(err, /^holon: /);
    assert.ok(err.trim().split("\n").length <= 2, err);
    return err;
  }

  it("a token file that is missing, empty, a directory, or readable by others", async () => {
    const file = join(directory.path, "token");
    assert.match(await refusal(["--token-file", file]), /does not exist[^]*umask 077/);
    writeFileSync(file, " \n");
    chmodSync(file, 0o600);
    assert.match(await refusal(["--token-file", file]), /is empty/);
    writeFileSync(file, "secret one");
    assert.match(await refusal(["--token-file", file]), /a blank/);
    writeFileSync(file, "s3cret");
    chmodSync(file, 0o640);
    const err = await refusal(["--token-file", file]);
    assert.ok(err.includes(`chmod 600 ${file}`), err);
    assert.ok(!err.includes("s3cret"));
    mkdirSync(join(directory.path, "folder"));
    assert.match(await refusal(["--token-file", join(directory.path, "folder")]), /directory/);
    symlinkSync("/dev/zero", join(directory.path, "zero"));
    assert.match(await refusal(["--token-file", join(directory.path, "zero")]), /no regular file/);
  });

  it("a token file that is a FIFO, too large, or has several lines, without waiting", async () => {
    const fifo = join(directory.path, "fifo");
    execFileSync("mkfifo", ["-m", "600", fifo]);
    assert.match(await refusal(["--token-file", fifo]), /no regular file/);
    const file = join(directory.path, "token");
    const write = (text: string | Uint8Array) => writeFileSync(file, text, { mode: 0o600 });
    write("x".repeat(5000));
    assert.match(await refusal(["--token-file", file]), /too large/);
    write("first\nsecond\n");
    assert.match(await refusal(["--token-file", file]), /a line break/);
    write("");
    assert.match(await refusal(["--token-file", file]), /is empty/);
    write(Uint8Array.of(0xff, 0xfe, 0x00, 0x41));
    assert.match(await refusal(["--token-file", file]), /a blank, a line break or an accent/);
    const deep = join(directory.path, "no/such/token");
    assert.match(await refusal(["--token-file", deep]), /mkdir -p [^ ]*no\/such && \(umask/);
  });

  it("a wrong use with the exit code 2, before the home is made", async () => {
    const home = join(directory.path, "home");
    for (
      const [args, sentence] of [
        [["--token", "x", "--token-file", "y"], /one of them/],
        [["--token", ""], /--token is empty/],
        [["--access", "lan", "--token", "x"], /needs the name/],
        [["--access", "wan"], /--access/],
        [["--host", "lab"], /--host is for/],
        [["--advertise", "http://0.0.0.0:1", "--token", "x"], /nobody can dial/],
        [["--listen", "127.0.0.1:1", "--port", "1"], /one of them/],
        [["--port", "65536"], /--port/],
      ] as const
    ) {
      const { code, out, err } = await run(["serve", ...args], { home });
      assert.equal(code, 2, args.join(" "));
      assert.equal(out, "");
      assert.match(err, sentence);
      assert.ok(!existsSync(home));
    }
  });

  it("an empty token in the environment", async () => {
    assert.match(await refusal([], { HOLON_CONTROL_TOKEN: " " }), /HOLON_CONTROL_TOKEN is empty/);
  });

  it("an address that others reach when there is no token", async () => {
    const home = join(directory.path, "home");
    for (const listen of ["0.0.0.0:0", "[::]:0", "10.255.255.1:0"]) {
      const { code, err } = await run(["serve", "--listen", listen], { home });
      assert.equal(code, 2);
      assert.match(err, /needs a token[^]*--token-file/);
    }
  });

  it("a home that is a file", async () => {
    writeFileSync(join(directory.path, "home"), "x");
    assert.match(await refusal([]), /is not a directory/);
  });
});

describe("nodeProblem()", () => {
  it("asks for Node 24, on Node only", () => {
    assert.match(nodeProblem({ node: "20.20.2" }) ?? "", /needs Node\.js 24 .* 20\.20\.2.*npm run/);
    assert.match(nodeProblem({ node: "22.18.0" }) ?? "", /needs Node\.js 24/);
    assert.equal(nodeProblem({ node: "24.0.0" }), null);
    assert.equal(nodeProblem({ node: "22.0.0", bun: "1.4.5" }), null);
    assert.equal(nodeProblem({ node: "22.0.0", deno: "2.9.6" }), null);
  });
});

describe("keyAction()", () => {
  it("knows o, q, h and Ctrl-C", () => {
    const keys = ["o", "Q", "h", "?", "\u0003", "\u0004", "x", "\u001b"];
    const want = ["open", "quit", "help", "help", "quit", "quit", null, null];
    assert.deepEqual(keys.map(keyAction), want);
  });
});
