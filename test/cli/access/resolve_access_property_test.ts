import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { readClientUrl } from "../../../src/cli/access/client_url.ts";
import { advertisedUrl, resolveAccess } from "../../../src/cli/access/resolve_access.ts";
import { ACCESS_MODES, type AccessOptions } from "../../../src/cli/command.ts";
import { CliFailure } from "../../../src/cli/failure.ts";
import { isLoopback, isWildcard } from "../../../src/cli/listen_address.ts";

const sound = fc.constantFrom("127.0.0.1", "::1", "192.168.1.10", "fd00::10", "lab.example");
const odd = fc.oneof(
  fc.constantFrom("127.0.0.2", "0.0.0.0", "::", "::ffff:0.0.0.0", "0", "0x0", "localhost", ""),
  fc.constantFrom("::ffff:10.0.0.1", "::ffff:127.0.0.1"),
  fc.ipV4(),
  fc.ipV6(),
);
const address = fc.oneof({ arbitrary: sound, weight: 3 }, odd);
const bracketed = address.map((it) => it.includes(":") ? `[${it}]` : it);
const port = fc.oneof({ arbitrary: fc.nat(65_535), weight: 9 }, fc.constantFrom(0, 70_000));
const withPort = fc.tuple(bracketed, port).map(([host, at]) => `${host}:${at}`);
const scheme = fc.constantFrom("http", "https", "http", "https", "ftp");
const url = fc.tuple(scheme, fc.oneof(bracketed, withPort)).map(([by, host]) => `${by}://${host}`);

/** Mostly one of what can't be given together. */
const place = fc.constantFrom("", "", "listen", "port", "listen port");
const credential = fc.constantFrom("", "token", "tokenFile", "tokenFile", "token tokenFile");
const others = fc.record({
  access: fc.constantFrom(...ACCESS_MODES),
  host: fc.oneof(address, withPort),
  advertise: url,
  callbackBaseUrl: url,
}, { requiredKeys: [] });
const options: fc.Arbitrary<AccessOptions> = fc.tuple(
  others,
  place,
  withPort,
  fc.nat(65_535),
  credential,
)
  .map(([given, where, listen, at, secret]) => ({
    ...given,
    ...(where.includes("listen") ? { listen } : {}),
    ...(where.includes("port") ? { port: at } : {}),
    ...(/^token\b/.test(secret) ? { token: "s3cret" } : {}),
    ...(secret.includes("File") ? { tokenFile: "/token" } : {}),
  }));
const environment = fc.record({
  HOLON_HTTP_ADDR: withPort,
  HOLON_CONTROL_TOKEN: fc.constant("s3cret"),
  HOLON_CALLBACK_BASE_URL: url,
}, { requiredKeys: [] });

it("resolveAccess() opens nothing without a token, and names nothing that can't be dialled", () => {
  let taken = 0;
  fc.assert(
    fc.property(options, environment, (given, env) => {
      let plan;
      try {
        plan = resolveAccess(given, env);
      } catch (error) {
        assert.ok(error instanceof CliFailure, String(error));
        assert.equal(error.exitCode, 2);
        assert.ok(!error.message.includes("s3cret") && !error.hint?.includes("s3cret"));
        return;
      }
      taken++;
      const { access, listen, advertise, token, callbackBaseUrl } = plan;
      const [main] = listen;
      const staysHere = listen.every(isLoopback);
      if (token === null) {
        assert.ok(staysHere && advertise === null && access !== "lan" && access !== "tailnet");
      }
      if (access === "tunnel" || given.access === "local") assert.ok(staysHere);
      if (!isLoopback(main) && !isWildcard(main)) {
        assert.ok(listen.some(({ host, port }) => host === "127.0.0.1" && port === main.port));
      }
      assert.ok(listen.every(({ port }) => port === main.port && port <= 65_535));
      for (const said of [advertisedUrl(advertise, main.port || 1), callbackBaseUrl]) {
        if (said !== null) {
          assert.equal(readClientUrl(said, "said").url, new URL(said).href.replace(/\/$/, ""));
        }
      }
      if (access === "lan" || access === "tailnet") assert.ok(advertise !== null);
    }),
    { numRuns: 3000 },
  );
  assert.ok(taken > 100, `${taken} were taken`);
});
