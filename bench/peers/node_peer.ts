/**
 * A static server of the npm world on Node: `node_peer.ts sirv|send|srvx <folder>`. Prints its
 * address once it listens.
 *
 * @module
 */

import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import send from "send";
import sirv from "sirv";
import { serve } from "srvx";
import { staticMiddleware } from "srvx/static";

const [kind = "", folder = "."] = process.argv.slice(2);

/** Each as its documentation has it. sirv looks at the files once, when it starts. */
const starts: Readonly<Record<string, () => void>> = {
  sirv: () => listen(sirv(folder, { etag: true })),
  send: () =>
    listen((request, response) => {
      send(request, request.url ?? "/", { root: folder }).pipe(response);
    }),
  srvx: () => {
    const server = serve({
      port: 0,
      hostname: "127.0.0.1",
      silent: true,
      middleware: [staticMiddleware({ dir: folder })],
      fetch: () => new Response(null, { status: 404 }),
    });
    server.ready().then(() => console.log(`listening on ${server.url}`));
  },
};

function listen(handler: RequestListener): void {
  const server = createServer(handler).listen(0, "127.0.0.1", () => {
    console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
}

const start = starts[kind];
if (start === undefined) throw new Error(`No peer is called ${kind}.`);
start();
