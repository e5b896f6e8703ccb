import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createServer, type Server } from "node:tls";
import { tempDirectory } from "../../support/temp_home.ts";
import { scriptCommand, startScript } from "../../support/runtime.ts";
import { handshakeBody, jsonText } from "./lying_server.ts";

const CERTIFICATE = join(import.meta.dirname!, "tls_certificate.pem");
const TOKEN = "a-token-that-is-a-secret";

describe("--connect https://…", () => {
  it("sends the token once the certificate is vouched for, and for that address alone", async () => {
    const heads: string[] = [];
    const options = {
      cert: readFileSync(CERTIFICATE),
      key: readFileSync(join(import.meta.dirname!, "tls_key.pem")),
    };
    const listen = async (host: string): Promise<{ server: Server; url: string }> => {
      const server = createServer(options, (socket) => {
        socket.on("error", () => {});
        socket.once("data", (head) => {
          heads.push(String(head));
          socket.end(jsonText(200, handshakeBody({ version: "7.0.0" })));
        });
      });
      server.on("tlsClientError", () => {});
      await new Promise<void>((resolve) => server.listen(0, host, resolve));
      const { port } = server.address() as { readonly port: number };
      return { server, url: `https://${host}:${port}` };
    };
    const [named, unnamed] = await Promise.all([listen("127.0.0.1"), listen("127.0.0.2")]);
    const directory = tempDirectory();
    const env = {
      HOME: directory.path,
      NODE_EXTRA_CA_CERTS: CERTIFICATE,
      DENO_CERT: CERTIFICATE,
    };
    const version = (url: string) =>
      startScript("mod.ts", {
        command: scriptCommand("mod.ts", [
          ...["version", "--connect", url, "--token", TOKEN],
        ]),
        env,
      });

    const trusted = version(named.url);
    const other = version(unnamed.url);
    assert.equal(await trusted.exited, 0, trusted.stderr());
    assert.match(trusted.stdout(), /^https:\/\/127\.0\.0\.1:\d+ runs holon 7\.0\.0$/m);
    assert.equal(await other.exited, 1);
    assert.match(other.stderr(), /the certificate of https:.* is not trusted \(/);
    assert.equal(heads.length, 1);
    assert.match(heads[0] ?? "", new RegExp(`^authorization: Bearer ${TOKEN}\\r?$`, "im"));
    named.server.close();
    unnamed.server.close();
    directory.remove();
  });
});
