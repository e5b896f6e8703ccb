/**
 * `Bun.file` behind `Bun.serve`, without any check: `bun_peer.ts <folder>`.
 *
 * @module
 */

import process from "node:process";

/** What is used of Bun here. */
interface BunServe {
  file(path: string): Blob;
  serve(options: {
    readonly port: number;
    readonly hostname: string;
    readonly development: boolean;
    readonly fetch: (request: Request) => Response;
  }): { readonly url: URL };
}

const { Bun } = globalThis as unknown as { readonly Bun: BunServe };
const folder = process.argv[2] ?? ".";
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  development: false,
  fetch: (request) => new Response(Bun.file(folder + new URL(request.url).pathname)),
});
console.log(`listening on ${server.url}`);
