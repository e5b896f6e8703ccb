/**
 * A whole Holon that listens as `holon serve` would with some `--access`, in the test's own process:
 * its clock can be set, and a shutdown is only noted.
 *
 * @module
 */

import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reachOf } from "../../src/cli/access/reach.ts";
import { resolveAccess } from "../../src/cli/access/resolve_access.ts";
import { openListeners } from "../../src/cli/serve_listeners.ts";
import type { AccessOptions } from "../../src/cli/command.ts";
import type { CliIo } from "../../src/cli/io.ts";
import { homePaths } from "../../src/cli/home.ts";
import { createHolon, type Holon } from "../../src/holon.ts";
import { createHost } from "../../src/host/current.ts";
import type { RuntimeStatus } from "../../src/config/routes.ts";
import { tempDirectory } from "./temp_home.ts";

/** A Holon that is reached. */
export interface ReachedHolon {
  readonly holon: Holon;
  readonly home: string;
  readonly port: number;
  readonly socket: string;
  /** Moves the wall clock on. */
  advance(ms: number): void;
  close(): Promise<void>;
}

/** Starts one on a free port; its home has the agent `main` with the app `card`. */
export async function reachedHolon(options: AccessOptions): Promise<ReachedHolon> {
  const directory = tempDirectory();
  const home = realpathSync(directory.path);
  const app = join(home, "agents", "main", "apps", "card");
  mkdirSync(app, { recursive: true, mode: 0o700 });
  mkdirSync(join(home, "run"), { mode: 0o700 });
  writeFileSync(join(app, "index.html"), "<p>card");
  writeFileSync(join(home, "config.json"), '{"local_apps":{"live_reload":"on"}}', { mode: 0o600 });
  let offset = 0;
  const machine = createHost();
  const host = {
    ...machine,
    clock: { ...machine.clock, now: () => machine.clock.now() + offset },
  };
  const io = { env: {}, cwd: "/", host } as unknown as CliIo;
  const plan = resolveAccess({ ...options, port: 0 }, {});
  let bound = plan.listen;
  // Only what is asked of it here.
  const status = () => ({ home_dir: home, ...reachOf(plan, bound) }) as RuntimeStatus;
  const holon = await createHolon({
    host,
    home,
    token: plan.token?.kind === "option" ? plan.token.token : null,
    advertisedHost: plan.advertise?.host ?? null,
    runtime: { status, requestShutdown: () => {} },
  });
  const paths = await homePaths(io, home);
  const listeners = await openListeners(io, paths, plan.listen, {
    fetch: holon.fetch,
    onError: () => {},
  });
  bound = listeners.addresses;
  return {
    holon,
    home,
    port: listeners.addresses[0].port,
    socket: paths.socket,
    advance: (ms) => void (offset += ms),
    async close() {
      await Promise.all([listeners.close(0), holon.close()]);
      directory.remove();
    },
  };
}
