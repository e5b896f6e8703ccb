import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createHost } from "../../src/host/current.ts";
import type { HostError, ListenAddress, Listener } from "../../src/host/types.ts";
import { get, rawRequest } from "../support/raw_http.ts";
import { startScript } from "../support/runtime.ts";
import { tempDirectory } from "../support/temp_home.ts";

const host = createHost();

function listen(address: ListenAddress): Promise<Listener> {
  return host.listen({ address, fetch: () => new Response("here") });
}

function failsWith(code: string, message = /./): (error: unknown) => boolean {
  return (error) => {
    assert.equal((error as HostError).code, code);
    assert.match((error as HostError).message, message);
    return true;
  };
}

describe("listen()", () => {
  it("takes a free port and gives it back", async () => {
    const listener = await listen({ transport: "tcp", host: "127.0.0.1", port: 0 });
    assert.equal(listener.address.transport, "tcp");
    const { port } = listener.address as { port: number };
    assert.equal((await rawRequest({ port }, get("/"))).text(), "here");
    await listener.close(0);
    const again = await listen({ transport: "tcp", host: "127.0.0.1", port });
    await again.close(0);
  });

  it("says that an address is in use", async () => {
    const first = await listen({ transport: "tcp", host: "127.0.0.1", port: 0 });
    await assert.rejects(listen(first.address), failsWith("address_in_use", /127\.0\.0\.1:\d+/));
    await first.close(0);
  });

  it("listens on one address only", async () => {
    const listener = await listen({ transport: "tcp", host: "127.0.0.1", port: 0 });
    const { port } = listener.address as { port: number };
    await assert.rejects(
      new Promise((resolve, reject) => {
        const socket = connect({ host: "127.0.0.2", port }, () => resolve(socket.destroy()));
        socket.on("error", reject);
      }),
    );
    await listener.close(0);
  });

  it("refuses a socket that another listener uses, and takes over one that is left", async () => {
    const temp = tempDirectory();
    const path = join(temp.path, "s.sock");
    const first = await listen({ transport: "unix", path });
    await assert.rejects(listen({ transport: "unix", path }), failsWith("address_in_use"));
    assert.equal((await rawRequest({ path }, get("/"))).text(), "here");
    await first.close(0);
    assert.equal(existsSync(path), false);

    const left = startScript(new URL("socket_leaver.ts", import.meta.url).pathname, {
      args: [path],
    });
    await left.line(/listening/);
    await left.stop("SIGKILL");
    assert.equal(existsSync(path), true);
    const second = await listen({ transport: "unix", path });
    assert.equal((await rawRequest({ path }, get("/"))).text(), "here");
    await second.close(0);
    temp.remove();
  });

  it("refuses a socket path that is too long for the system", async () => {
    const path = `/tmp/${"x".repeat(110)}`;
    await assert.rejects(listen({ transport: "unix", path }), failsWith("invalid_path", /107/));
  });
});
