import assert from "node:assert/strict";
import { createServer, type Server } from "node:net";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { describe, it } from "node:test";
import { readSendQueues, sendQueueOf } from "../../src/host/tcp_queues.ts";
import { rawConnect } from "../support/raw_http.ts";
import { until } from "../support/until.ts";

const noTable = readSendQueues() === null;

async function listenOn(host: string): Promise<Server | null> {
  const server = createServer();
  server.listen(0, host);
  return await Promise.race([
    once(server, "listening").then(() => server),
    once(server, "error").then(() => null),
  ]);
}

describe("readSendQueues()", () => {
  for (const [host, from] of [["127.0.0.1", "127.0.0.1"], ["::1", "::1"], ["::", "127.0.0.1"]]) {
    it(`finds what ${from} has not taken from ${host}`, { skip: noTable }, async (context) => {
      const server = await listenOn(host!);
      if (server === null) return context.skip("no IPv6 here");
      const { port } = server.address() as AddressInfo;
      const accepted = once(server, "connection") as Promise<[Socket]>;
      const client = await rawConnect({ port, host: from! });
      const [socket] = await accepted;
      const plain = (address = "") => address.replace(/^::ffff:/, "");
      const local = { address: plain(socket.localAddress), port: socket.localPort! };
      const peer = { address: plain(socket.remoteAddress), port: socket.remotePort! };
      const queue = () => sendQueueOf(readSendQueues()!, local, peer);
      assert.equal(queue(), 0);
      client.pause();
      socket.write(new Uint8Array(32_000_000));
      await until(() => (queue() ?? 0) > 100_000);
      client.close();
      socket.destroy();
      server.close();
    });
  }
});
