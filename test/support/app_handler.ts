/**
 * The routes of apps over a folder, called without a socket: router and routes as they are, the
 * agent's queue and the events as small fakes.
 *
 * @module
 */

import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { NewMessage } from "../../src/agents/types.ts";
import { createLiveReload, type LiveReload } from "../../src/apps/reload/live_reload.ts";
import { appRoutes } from "../../src/apps/routes.ts";
import { createAppService } from "../../src/apps/service.ts";
import type { AppService } from "../../src/apps/types.ts";
import { type AppSettings, type LiveReloadMode, STRICT_CSP } from "../../src/config/settings.ts";
import type { Delivery, SubscribeOptions } from "../../src/events/types.ts";
import { createHost } from "../../src/host/current.ts";
import type { Clock, ConnectionInfo, HostFiles, Listener } from "../../src/host/types.ts";
import { clientOf } from "../../src/http/client.ts";
import { errorResponse } from "../../src/http/errors.ts";
import { createPermits, type Permits } from "../../src/http/permits.ts";
import type { Principal } from "../../src/http/route.ts";
import { createRouter } from "../../src/http/router.ts";
import { parseTarget } from "../../src/http/target.ts";
import { tempDirectory } from "./temp_home.ts";

/** The default settings. */
export const OPEN_SETTINGS: AppSettings = {
  maxAssetBytes: 64 * 1024 * 1024,
  csp: null,
  manifestRequired: false,
  typesLimited: false,
  precompressed: true,
};

/** The strict profile's settings. */
export const STRICT_SETTINGS: AppSettings = {
  maxAssetBytes: 8 * 1024 * 1024,
  csp: STRICT_CSP,
  manifestRequired: true,
  typesLimited: true,
  precompressed: false,
};

/** A home with the routes of its apps. */
export interface AppHandler {
  /** The home's path, as it was given. */
  readonly home: string;
  readonly files: HostFiles;
  readonly apps: AppService;
  readonly permits: Permits;
  /** Messages that apps put into the queue. */
  readonly enqueued: NewMessage[];
  readonly subscriptions: SubscribeOptions[];
  /** What subscribers are sent. */
  deliveries: AsyncIterable<Delivery> | Iterable<Delivery>;
  settings: AppSettings;
  /** Off unless a test turns it on. */
  liveReloadMode: LiveReloadMode;
  readonly liveReload: LiveReload;
  clock: Pick<Clock, "now">;
  /** Errors that were no refusals. */
  readonly unexpected: unknown[];
  /** Writes files below an agent's `apps`, by path. */
  write(files: Readonly<Record<string, string | Uint8Array>>, agent?: string): void;
  /** Calls the routes with a raw target. */
  fetch(target: string, init?: RequestInit): Promise<Response>;
  /** Serves the routes on a free port; the caller closes the listener. */
  listen(): Promise<{ readonly port: number; readonly listener: Listener }>;
  remove(): void;
}

const EVERYONE: Principal = {
  kind: "local",
  scopes: new Set(["app", "control", "public", "read"]),
  sessionId: null,
};

/**
 * Makes a home with the agent `main`.
 *
 * @param home the path of a home that is there already, by whatever name
 */
export function createAppHandler(
  home: string = realpathSync(tempDirectory().path),
): AppHandler {
  const host = createHost();
  const { files } = host;
  mkdirSync(join(home, "agents", "main"), { recursive: true });
  const apps = createAppService({
    files,
    clock: host.clock,
    agentsFolder: join(home, "agents"),
    manifestRequired: () => handler.settings.manifestRequired,
  });
  const permits = createPermits();
  const liveReload = createLiveReload({
    files,
    clock: host.clock,
    agentsFolder: join(home, "agents"),
    onError: (error) => handler.unexpected.push(error),
  });
  const dispatch = createRouter(appRoutes({
    apps,
    permits,
    settings: () => handler.settings,
    clock: { now: () => handler.clock.now() },
    blocking: () => files.blocking,
    sdkScript: "/* classic */",
    sdkModule: "/* module */",
    liveSdkScript: "/* live classic */",
    liveSdkModule: "/* live module */",
    liveReload,
    liveReloadMode: () => handler.liveReloadMode,
    agents: {
      enqueue(message) {
        handler.enqueued.push(message);
        const requestId = message.requestId ?? "made-up";
        return Promise.resolve({ messageId: "msg_1", requestId, replayed: false });
      },
    },
    events: {
      newest: () => 7,
      subscribe(subscription) {
        handler.subscriptions.push(subscription);
        return deliver(handler.deliveries);
      },
    },
  }));
  async function answer(request: Request, info: ConnectionInfo | null, rawTarget: string) {
    const onUnexpected = (error: unknown) => handler.unexpected.push(error);
    try {
      const client = clientOf(request, info, []);
      const target = parseTarget(rawTarget);
      const principal = EVERYONE;
      return await dispatch({ request, info, client, target, principal, requestId: "test" });
    } catch (error) {
      return errorResponse(error, request, rawTarget, { onUnexpected });
    }
  }

  const handler: AppHandler = {
    home,
    files,
    apps,
    permits,
    enqueued: [],
    subscriptions: [],
    deliveries: [],
    settings: OPEN_SETTINGS,
    liveReloadMode: "off",
    liveReload,
    clock: { now: Date.now },
    unexpected: [],
    write(contents, agent = "main") {
      for (const [path, content] of Object.entries(contents)) {
        const full = join(home, "agents", agent, "apps", path);
        mkdirSync(dirname(full), { recursive: true });
        writeFileSync(full, content);
      }
    },
    fetch: (target, init = {}) => answer(new Request("http://localhost/", init), null, target),
    async listen() {
      const listener = await host.listen({
        address: { transport: "tcp", host: "127.0.0.1", port: 0 },
        fetch: (request, info) => answer(request, info, info.target),
      });
      const { address } = listener;
      return { port: address.transport === "tcp" ? address.port : 0, listener };
    },
    remove() {
      liveReload.end();
      rmSync(home, { recursive: true, force: true });
    },
  };
  return handler;
}

/** The status and the machine code of an answer, e.g. `403 forbidden`; without a code the status. */
export async function outcomeOf(response: Response): Promise<string> {
  const text = await response.text();
  if (response.headers.get("content-type") !== "application/json") return String(response.status);
  const { code } = JSON.parse(text) as { code?: string };
  return code === undefined ? String(response.status) : `${response.status} ${code}`;
}

async function* deliver(deliveries: AppHandler["deliveries"]): AsyncGenerator<Delivery> {
  yield* deliveries;
}
