import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { advertisedUrl, resolveAccess } from "../../../src/cli/access/resolve_access.ts";
import type { AccessOptions } from "../../../src/cli/command.ts";
import { CliFailure } from "../../../src/cli/failure.ts";
import { addressText } from "../../../src/cli/listen_address.ts";

type Environment = Readonly<Record<string, string>>;

const F = { tokenFile: "/token" };

/** Where it listens, and what it advertises when the port 0 became 7000. */
function reach(options: AccessOptions, env: Environment = {}) {
  const plan = resolveAccess(options, env);
  const port = plan.listen[0].port || 7000;
  return {
    listen: plan.listen.map(addressText).join(" "),
    advertise: advertisedUrl(plan.advertise, port),
    name: plan.listenName,
  };
}

function refusal(options: AccessOptions, env: Environment = {}): string {
  try {
    resolveAccess(options, env);
  } catch (error) {
    assert.ok(error instanceof CliFailure, String(error));
    assert.equal(error.exitCode, 2);
    return `${error.message}\n${error.hint ?? ""}`;
  }
  throw new assert.AssertionError({ message: `taken: ${JSON.stringify(options)}` });
}

describe("resolveAccess()", () => {
  it("stays on loopback by default and for tunnels", () => {
    const local = { listen: "127.0.0.1:7878", advertise: null, name: null };
    assert.deepEqual(reach({}), local);
    assert.deepEqual(reach({ access: "local" }), local);
    assert.deepEqual(reach({ access: "tunnel", ...F }), local);
    assert.equal(reach({ access: "tunnel", port: 9000 }).listen, "127.0.0.1:9000");
    assert.equal(reach({ listen: "[::1]:0" }).listen, "[::1]:0");
    assert.equal(reach({ listen: "127.0.0.2:1" }).listen, "127.0.0.2:1");
    assert.equal(reach({}, { HOLON_HTTP_ADDR: "127.0.0.1:9" }).listen, "127.0.0.1:9");
  });

  it("listens on an address of a network and on loopback besides", () => {
    assert.deepEqual(reach({ access: "lan", host: "192.168.1.10", ...F }), {
      listen: "192.168.1.10:7878 127.0.0.1:7878",
      advertise: "http://192.168.1.10:7878",
      name: null,
    });
    assert.deepEqual(reach({ access: "lan", host: "192.168.1.10", port: 0, ...F }), {
      listen: "192.168.1.10:0 127.0.0.1:0",
      advertise: "http://192.168.1.10:7000",
      name: null,
    });
    assert.equal(reach({ listen: "10.0.0.1:80", ...F }).listen, "10.0.0.1:80 127.0.0.1:80");
    assert.equal(reach({ listen: "[::ffff:10.0.0.1]:80", ...F }).listen.split(" ").length, 2);
    for (const listen of ["0.0.0.0:80", "[::]:80"]) {
      assert.equal(reach({ listen, ...F }).listen, listen);
    }
    assert.equal(reach({ listen: "[::ffff:0.0.0.0]:80", ...F }).listen, "0.0.0.0:80");
  });

  it("puts IPv6 addresses into brackets", () => {
    for (const host of ["fd00::10", "FD00:0::10", "[fd00::10]"]) {
      assert.deepEqual(reach({ access: "lan", host, ...F }), {
        listen: "[fd00::10]:7878 127.0.0.1:7878",
        advertise: "http://[fd00::10]:7878",
        name: null,
      });
    }
    assert.equal(
      reach({ access: "lan", host: "[fd00::10]:9000", ...F }).advertise,
      "http://[fd00::10]:9000",
    );
  });

  it("listens everywhere for a name, until it is known what the name stands for", () => {
    assert.deepEqual(reach({ access: "tailnet", host: "Lab.tailnet.ts.net", ...F }), {
      listen: "0.0.0.0:7878",
      advertise: "http://lab.tailnet.ts.net:7878",
      name: "lab.tailnet.ts.net",
    });
    assert.deepEqual(reach({ access: "lan", host: "lab.local:9000", ...F }), {
      listen: "0.0.0.0:9000",
      advertise: "http://lab.local:9000",
      name: "lab.local",
    });
    const given = { access: "lan", host: "lab", listen: "10.0.0.1:80", ...F } as const;
    assert.deepEqual(reach(given), {
      listen: "10.0.0.1:80 127.0.0.1:80",
      advertise: "http://lab:80",
      name: null,
    });
  });

  it("takes the port of --host, of --port, of HOLON_HTTP_ADDR, in this order", () => {
    const env = { HOLON_HTTP_ADDR: "127.0.0.1:9" };
    const lan = { access: "lan", ...F } as const;
    assert.match(reach({ ...lan, host: "10.0.0.1:80" }, env).listen, /^10\.0\.0\.1:80 /);
    assert.match(reach({ ...lan, host: "10.0.0.1", port: 81 }, env).listen, /^10\.0\.0\.1:81 /);
    assert.match(reach({ ...lan, host: "10.0.0.1" }, env).listen, /^10\.0\.0\.1:9 /);
    assert.match(refusal({ ...lan, host: "10.0.0.1:80", port: 81 }), /--port gives one too/);
    assert.match(refusal({ ...lan, host: "10.0.0.1", port: 1, listen: "10.0.0.1:1" }), /one of/);
  });

  it("separates where it listens from what clients dial", () => {
    const advertise = "http://lab.tailnet.ts.net:7878/#x";
    assert.deepEqual(reach({ listen: "0.0.0.0:7878", advertise, ...F }), {
      listen: "0.0.0.0:7878",
      advertise: "http://lab.tailnet.ts.net:7878",
      name: null,
    });
    assert.deepEqual(reach({ access: "lan", advertise: "https://lab.example", ...F }), {
      listen: "0.0.0.0:7878",
      advertise: "https://lab.example",
      name: null,
    });
    assert.equal(
      reach({ access: "lan", host: "0.0.0.0", advertise, ...F }).listen,
      "0.0.0.0:7878",
    );
    assert.match(refusal({ advertise: "http://0:7878", ...F }), /nobody can dial/);
    assert.match(refusal({ access: "lan", host: "0.0.0.0", ...F }), /nobody can dial/);
    assert.match(refusal({ access: "tailnet", host: "::", ...F }), /nobody can dial/);
  });

  it("asks for a host where others are to come", () => {
    for (const access of ["lan", "tailnet"] as const) {
      assert.match(refusal({ access, ...F }), /needs the name[^]*--host[^]*--advertise/);
    }
    assert.match(refusal({ access: "local", host: "lab" }), /--host is for --access lan/);
    assert.match(refusal({ access: "tunnel", host: "lab", ...F }), /--host is for --access lan/);
    assert.match(refusal({ host: "lab" }), /--host is for --access lan/);
    const bad = ["", "http://lab", "0", "0x0", "0x7f.1", "127.1", "a b", "lab:0", "lab:x", "*.lab"];
    for (const host of [...bad, "[::1", "fe80::1%eth0", "1.2.3.4.5", "me@lab", "lab/x"]) {
      assert.match(refusal({ access: "lan", host, ...F }), /--host has/, host);
    }
  });

  it("refuses modes that stay on this machine on addresses that others reach", () => {
    const listen = "0.0.0.0:7878";
    assert.match(refusal({ access: "tunnel", listen, ...F }), /tunnel stays on this machine/);
    assert.match(refusal({ access: "local", listen, ...F }), /local stays on this machine/);
    const env = { HOLON_HTTP_ADDR: listen };
    assert.match(refusal({ access: "tunnel", ...F }, env), /tunnel stays on this machine/);
  });

  it("asks for a token where others may come", () => {
    for (
      const options of [
        { access: "lan", host: "192.168.1.10" },
        { access: "lan", host: "127.0.0.1" },
        { access: "tailnet", host: "lab.tailnet.ts.net" },
        { listen: "0.0.0.0:1" },
        { listen: "[::]:1" },
        { listen: "[::ffff:0.0.0.0]:1" },
        { listen: "192.168.1.10:1" },
        { advertise: "https://lab.example" },
      ] as const
    ) {
      assert.match(refusal(options), /needs a token[^]*--token-file/, JSON.stringify(options));
      resolveAccess({ ...options, token: "x" }, {});
      resolveAccess(options, { HOLON_CONTROL_TOKEN: "x" });
    }
    assert.match(refusal({}, { HOLON_HTTP_ADDR: "10.0.0.1:1" }), /needs a token/);
  });

  it("takes one token, which is not empty", () => {
    assert.deepEqual(resolveAccess({ token: " x " }, {}).token, { kind: "option", token: "x" });
    assert.deepEqual(resolveAccess(F, { HOLON_CONTROL_TOKEN: "y" }).token, {
      kind: "file",
      path: "/token",
    });
    assert.deepEqual(resolveAccess({}, { HOLON_CONTROL_TOKEN: "y" }).token, {
      kind: "environment",
    });
    assert.equal(resolveAccess({}, {}).token, null);
    assert.match(refusal({ token: "x", ...F }), /one of them/);
    assert.match(refusal({ token: " " }), /--token is empty/);
    assert.match(refusal({ tokenFile: "" }), /--token-file is empty/);
  });

  it("checks the URL for callbacks", () => {
    const env = { HOLON_CALLBACK_BASE_URL: "https://hooks.example/" };
    assert.equal(resolveAccess({}, {}).callbackBaseUrl, null);
    assert.equal(resolveAccess({}, { HOLON_CALLBACK_BASE_URL: "" }).callbackBaseUrl, null);
    assert.equal(resolveAccess({}, env).callbackBaseUrl, "https://hooks.example");
    const option = { callbackBaseUrl: "https://lab.example/hooks" };
    assert.equal(resolveAccess(option, env).callbackBaseUrl, "https://lab.example/hooks");
    assert.match(refusal({ callbackBaseUrl: "http://[::]:1" }), /--callback-base-url has \[::\]/);
    assert.match(refusal({}, { HOLON_CALLBACK_BASE_URL: "x" }), /HOLON_CALLBACK_BASE_URL has/);
  });
});
