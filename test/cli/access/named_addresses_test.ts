import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chooseAddresses } from "../../../src/cli/access/named_addresses.ts";
import { resolveAccess } from "../../../src/cli/access/resolve_access.ts";
import type { AccessOptions } from "../../../src/cli/command.ts";
import { addressText } from "../../../src/cli/listen_address.ts";

const TAILNET: AccessOptions = { access: "tailnet", host: "lab.example", token: "x" };

async function choose(options: AccessOptions, found: readonly string[]) {
  const { listen, notice } = await chooseAddresses(resolveAccess(options, {}), {
    lookup: (name) => Promise.resolve(name === "lab.example" ? found : []),
    isOwn: (address) =>
      Promise.resolve(
        ["127.0.0.1", "0.0.0.0", "::", "192.168.1.10", "100.64.0.7", "fd7a::7"].includes(address),
      ),
  });
  return { listen: listen.map(addressText).join(" "), notice };
}

describe("chooseAddresses()", () => {
  it("takes those addresses of a name that are this machine's, and loopback", async () => {
    assert.deepEqual(await choose(TAILNET, ["100.64.0.7"]), {
      listen: "100.64.0.7:7878 127.0.0.1:7878",
      notice: null,
    });
    assert.equal(
      (await choose({ ...TAILNET, port: 80 }, ["fd7a::7", "100.64.0.7", "100.64.0.7"])).listen,
      "[fd7a::7]:80 100.64.0.7:80 127.0.0.1:80",
    );
    assert.equal(
      (await choose(TAILNET, ["203.0.113.9", "::ffff:192.168.1.10"])).listen,
      "192.168.1.10:7878 127.0.0.1:7878",
    );
  });

  it("takes all addresses, and says so, where the name stands for none of this machine", async () => {
    for (const found of [[], ["203.0.113.9"], ["127.0.1.1", "::1"], ["0.0.0.0", "::"]]) {
      const { listen, notice } = await choose(TAILNET, found);
      assert.equal(listen, "0.0.0.0:7878");
      assert.match(notice ?? "", /lab\.example stands for no address.*--listen/);
    }
  });

  it("leaves addresses that were given as they are", async () => {
    const given = await choose({ ...TAILNET, listen: "0.0.0.0:80" }, ["100.64.0.7"]);
    assert.deepEqual(given, { listen: "0.0.0.0:80", notice: null });
  });

  it("ends where nobody answers for a name", async () => {
    const options = { ...TAILNET, host: "no-such-name.invalid" };
    const { listen, notice } = await chooseAddresses(resolveAccess(options, {}));
    assert.equal(listen.map(addressText).join(), "0.0.0.0:7878");
    assert.ok(notice !== null);
  });
});
