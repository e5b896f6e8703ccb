/**
 * The file server of @std/http behind `Deno.serve`: `deno_peer.ts <folder> <copy of deno-std>`.
 *
 * @module
 */

import process from "node:process";

/** What is used of Deno here. */
interface DenoServe {
  serve(
    options: {
      readonly port: number;
      readonly hostname: string;
      readonly onListen: (address: { readonly port: number }) => void;
    },
    handler: (request: Request) => Promise<Response>,
  ): void;
}

interface FileServer {
  serveDir(
    request: Request,
    options: { readonly fsRoot: string; readonly quiet: boolean },
  ): Promise<Response>;
}

const { Deno } = globalThis as unknown as { readonly Deno: DenoServe };
const [fsRoot = ".", library = ""] = process.argv.slice(2);
const { serveDir } = await import(`${library}/http/file_server.js`) as FileServer;
Deno.serve(
  {
    port: 0,
    hostname: "127.0.0.1",
    onListen: ({ port }) => console.log(`listening on http://127.0.0.1:${port}/`),
  },
  (request) => serveDir(request, { fsRoot, quiet: true }),
);
