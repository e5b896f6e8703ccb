import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type GivenOptions, inheritOptions, lacksToken } from "../../../src/cli/daemon/inherit.ts";
import { type KeptOptions, serveArguments } from "../../../src/cli/daemon/state_files.ts";

/** What comes of it, without what is undefined. */
function inherited(kept: KeptOptions, given: GivenOptions): GivenOptions {
  return JSON.parse(JSON.stringify(inheritOptions(kept, given)));
}

describe("inheritOptions()", () => {
  const lan: KeptOptions = {
    access: "lan",
    host: "192.168.1.10",
    advertise: "http://lab:1",
    tokenFile: "/t",
  };

  it("keeps all where nothing is given", () => {
    assert.deepEqual(inherited(lan, {}), lan);
    assert.deepEqual(inherited(lan, { log: "text", tokenFile: "/u" }), {
      ...lan,
      log: "text",
      tokenFile: "/u",
    });
  });

  it("drops what was advertised with a new place, unless it is given", () => {
    const { advertise: _, ...rest } = lan;
    assert.deepEqual(inherited(lan, { port: 9000 }), { ...rest, port: 9000 });
    assert.deepEqual(inherited(lan, { host: "10.0.0.1" }), { ...rest, host: "10.0.0.1" });
    assert.deepEqual(inherited(lan, { access: "tailnet" }), { ...rest, access: "tailnet" });
    const given = { port: 1, advertise: "http://new:1" };
    assert.deepEqual(inherited(lan, given), { ...rest, ...given });
  });

  it("lets --listen and --port displace each other", () => {
    assert.deepEqual(inherited({ listen: "0.0.0.0:1" }, { port: 2 }), { port: 2 });
    assert.deepEqual(inherited({ port: 2 }, { listen: "0.0.0.0:1" }), { listen: "0.0.0.0:1" });
    assert.deepEqual(inherited({ access: "lan", host: "lab:5" }, { port: 2 }), {
      access: "lan",
      host: "lab",
      port: 2,
    });
    assert.deepEqual(inherited({ port: 2 }, { access: "lan", host: "lab:5" }), {
      access: "lan",
      host: "lab:5",
    });
  });

  it("leaves no address open that --access closes, and keeps its port", () => {
    assert.deepEqual(inherited({ listen: "0.0.0.0:9000" }, { access: "local" }), {
      access: "local",
      port: 9000,
    });
    assert.deepEqual(inherited({ listen: "[::]:9000" }, { access: "lan", host: "fd00::1" }), {
      access: "lan",
      host: "fd00::1",
      port: 9000,
    });
    const { host: _, advertise: __, ...rest } = lan;
    assert.deepEqual(inherited(lan, { access: "tunnel" }), { ...rest, access: "tunnel" });
  });

  it("lets --token and --token-file displace each other", () => {
    assert.deepEqual(inherited({ tokenFile: "/t" }, { token: "x" }), { token: "x" });
  });
});

describe("lacksToken()", () => {
  it("asks for a token that was given inline", () => {
    const inline = { control_token_env_configured: true };
    assert.equal(lacksToken(inline, {}, {}), true);
    assert.equal(lacksToken(inline, { tokenFile: "/t" }, {}), false);
    assert.equal(lacksToken(inline, { token: "x" }, {}), false);
    assert.equal(lacksToken(inline, {}, { HOLON_CONTROL_TOKEN: "x" }), false);
    assert.equal(lacksToken({ control_token_env_configured: false }, {}, {}), false);
  });
});

describe("serveArguments()", () => {
  it("gives one word for each option", () => {
    assert.deepEqual(serveArguments({ access: "lan", host: "-x", port: 0, tokenFile: "/a b" }), [
      "--access=lan",
      "--host=-x",
      "--port=0",
      "--token-file=/a b",
    ]);
  });
});
