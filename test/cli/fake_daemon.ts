/**
 * Something that answers on a home's socket as a test wants it to.
 *
 * @module
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createHost } from "../../src/host/current.ts";

/** One request that came in. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** A daemon that is none. */
export interface FakeDaemon {
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

/** Listens on `<home>/run/holon.sock` and answers with what `answer` gives. */
export async function fakeDaemon(
  home: string,
  answer: (request: SeenRequest) => Response,
): Promise<FakeDaemon> {
  mkdirSync(join(home, "run"), { recursive: true, mode: 0o700 });
  const seen: SeenRequest[] = [];
  const listener = await createHost().listen({
    address: { transport: "unix", path: join(home, "run", "holon.sock") },
    fetch: async (request, info) => {
      const one = { method: request.method, path: info.target, body: await request.text() };
      seen.push(one);
      return answer(one);
    },
  });
  return { seen, close: () => listener.close(0) };
}
