import assert from "node:assert/strict";
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { permissionFlags } from "../../scripts/serve_confined.ts";
import { tempDirectory } from "../support/temp_home.ts";

function granted(args: readonly string[], env: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    permissionFlags(args, env).map((flag) => {
      const [, name = "", values] = /^--allow-([a-z]+)(?:=(.*))?$/.exec(flag) ?? [];
      return [name, values === undefined ? true : values.split(",")];
    }),
  );
}

describe("permissionFlags()", () => {
  it("grants the default home and address", () => {
    const { read, write, net } = granted([], { HOME: "/users/ann" });
    assert.deepEqual(read, ["/users/ann/.holon", "/proc"]);
    assert.deepEqual(write, ["/users/ann/.holon"]);
    assert.deepEqual(net, ["127.0.0.1:7878", "unix:/users/ann/.holon/run/holon.sock"]);
  });

  it("follows the environment", () => {
    const env = { HOME: "/users/ann", HOLON_HOME: "/srv/holon", HOLON_HTTP_ADDR: "[::1]:80" };
    const { write, net } = granted([], env);
    assert.deepEqual(write, ["/srv/holon"]);
    assert.deepEqual(net, ["[::1]:80", "unix:/srv/holon/run/holon.sock"]);
  });

  it("follows the arguments before the environment, and leaves others alone", () => {
    const args = ["--home=/srv/other", "--port", "0", "--open", "--token-file", "/etc/token"];
    const { read, net } = granted(args, { HOME: "/users/ann", HOLON_HOME: "/srv/holon" });
    assert.deepEqual(read, ["/srv/other", "/etc/token", "/proc"]);
    assert.deepEqual(net, ["127.0.0.1:0", "unix:/srv/other/run/holon.sock"]);
    const listening = granted(["--listen", "localhost:81"], { HOME: "/users/ann" });
    assert.deepEqual((listening["net"] as readonly string[])[0], "127.0.0.1:81");
  });

  it("grants the addresses of a network, and of a name those of this machine", () => {
    const env = { HOME: "/users/ann" };
    const lan = ["--access", "lan", "--host", "fd00::10", "--token-file", "/t"];
    assert.deepEqual((granted(lan, env)["net"] as readonly string[]).slice(0, 2), [
      "[fd00::10]:7878",
      "127.0.0.1:7878",
    ]);
    const named = ["--access", "tailnet", "--host", "lab.example", "--token-file", "/t"];
    const net = granted(named, env)["net"] as readonly string[];
    for (const one of ["0.0.0.0:7878", "127.0.0.1:7878", "lab.example"]) {
      assert.ok(net.includes(one), one);
    }
    const refused = granted(["--access", "tunnel", "--listen", "0.0.0.0:1"], env);
    assert.deepEqual(refused["net"], ["unix:/users/ann/.holon/run/holon.sock"]);
  });

  it("grants a linked home by both its names", () => {
    const directory = tempDirectory();
    const real = join(directory.path, "real");
    mkdirSync(real);
    symlinkSync(real, join(directory.path, "link"));
    const { write } = granted(["--home", join(directory.path, "link")], {});
    assert.deepEqual(write, [join(directory.path, "link"), realpathSync(real)]);
    directory.remove();
  });

  it("writes a comma in a name twice, as Deno wants it", () => {
    assert.ok(permissionFlags(["--home", "/a,b"], {}).includes("--allow-write=/a,,b"));
  });
});
