import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { reachOf } from "../../../src/cli/access/reach.ts";
import { readyLines } from "../../../src/cli/access/ready_lines.ts";
import { resolveAccess } from "../../../src/cli/access/resolve_access.ts";
import type { AccessOptions } from "../../../src/cli/command.ts";

function lines(options: AccessOptions): readonly string[] {
  const plan = resolveAccess(options, {});
  const bound = plan.listen;
  const reach = reachOf(plan, bound);
  return readyLines({ reach, bound, machine: "lab", hasToken: plan.token !== null });
}

describe("readyLines()", () => {
  it("has one line where nobody else is to come", () => {
    assert.deepEqual(lines({}), ["holon listening on http://127.0.0.1:7878"]);
    assert.equal(lines({ listen: "0.0.0.0:80", token: "x" }).length, 1);
  });

  it("says how to forward a port", () => {
    assert.deepEqual(lines({ access: "tunnel", token: "x" }), [
      "holon listening on http://127.0.0.1:7878",
      "  elsewhere, first: ssh -N -L 7878:127.0.0.1:7878 lab",
      "  elsewhere, in a browser: http://127.0.0.1:7878",
      "  elsewhere, in a shell: holon tui --connect http://127.0.0.1:7878 --token-file FILE",
    ]);
    const other = lines({ access: "tunnel", advertise: "http://localhost:9000", token: "x" });
    assert.equal(other[1], "  elsewhere, first: ssh -N -L 9000:127.0.0.1:7878 lab");
    assert.equal(other[2], "  elsewhere, in a browser: http://localhost:9000");
    assert.ok(lines({ access: "tunnel", listen: "[::1]:80" })[1]?.includes("-L 80:[::1]:80 lab"));
  });

  it("says where others connect", () => {
    assert.deepEqual(lines({ access: "lan", host: "fd00::10", token: "x" }), [
      "holon listening on http://[fd00::10]:7878",
      "  and on http://127.0.0.1:7878",
      "  elsewhere, in a browser: http://[fd00::10]:7878",
      "  elsewhere, in a shell: holon tui --connect http://[fd00::10]:7878 --token-file FILE",
    ]);
    const proxied = lines({ advertise: "https://lab.example", token: "x" });
    assert.ok(proxied.some((line) => line.endsWith("browser: https://lab.example")));
  });
});

describe("reachOf()", () => {
  it("gives this machine's own address for callbacks, where no other is given", () => {
    const reach = (options: AccessOptions) => {
      const plan = resolveAccess(options, {});
      return reachOf(plan, plan.listen);
    };
    assert.equal(reach({}).callback_base_url, "http://127.0.0.1:7878");
    assert.equal(reach({ listen: "[::1]:1" }).callback_base_url, "http://[::1]:1");
    assert.equal(reach({ listen: "[::]:1", token: "x" }).callback_base_url, "http://[::1]:1");
    assert.deepEqual(reach({ access: "lan", host: "10.0.0.1", token: "x" }), {
      access: "lan",
      listen: ["10.0.0.1:7878", "127.0.0.1:7878"],
      advertise_url: "http://10.0.0.1:7878",
      callback_base_url: "http://127.0.0.1:7878",
    });
    assert.equal(
      reach({ callbackBaseUrl: "https://hooks.example/x/" }).callback_base_url,
      "https://hooks.example/x",
    );
  });
});
