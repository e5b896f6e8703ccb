import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createServer, type Server } from "node:tls";
import { scriptCommand, startScript } from "../../support/runtime.ts";
import { jsonText } from "./lying_server.ts";

const CERTIFICATE = join(import.meta.dirname!, "tls_certificate.pem");
const TOKEN = "a-token-that-is-a-secret";

describe("a connection over TLS", () => {
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
          socket.end(jsonText(200, {}));
        });
      });
      server.on("tlsClientError", () => {});
      await new Promise<void>((resolve) => server.listen(0, host, resolve));
      const { port } = server.address() as { readonly port: number };
      return { server, url: `https://${host}:${port}` };
    };
    // The certificate is for 127.0.0.1 and localhost.
    const [named, unnamed] = await Promise.all([listen("127.0.0.1"), listen("127.0.0.2")]);
    const script = startScript("", {
      command: scriptCommand("test/cli/client/tls_script.ts", [TOKEN, named.url, unnamed.url]),
      env: { NODE_EXTRA_CA_CERTS: CERTIFICATE, DENO_CERT: CERTIFICATE },
    });
    assert.equal(await script.exited, 0, script.stderr());
    const [trusted, other] = JSON.parse(script.stdout());
    assert.equal(trusted, "200");
    assert.match(other, /^the certificate of https:\/\/127\.0\.0\.2:\d+ is not trusted \(/);
    assert.equal(heads.length, 1);
    assert.match(heads[0] ?? "", new RegExp(`^authorization: Bearer ${TOKEN}\\r?$`, "im"));
    named.server.close();
    unnamed.server.close();
  });
});
