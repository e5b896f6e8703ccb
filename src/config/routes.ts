/**
 * The control API's routes for the configuration and the life of the server
 * (`facts/holon.md` §a.5).
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { jsonResponse } from "../http/json.ts";
import { readJson } from "../http/json_body.ts";
import type { Route } from "../http/route.ts";
import { settingOf } from "./document.ts";
import type { Reach } from "./reach.ts";
import { aliasesOf, CONFIG_KEYS } from "./schema.ts";
import type { ConfigService } from "./service.ts";
import { type ConfigSnapshot, effectiveAppSettings } from "./settings.ts";
import {
  configAnswer,
  patchAnswer,
  patchBody,
  readinessAnswer,
  shutdownAnswer,
  statusAnswer,
} from "./wire.ts";

/** How long a PATCH waits for its reload, in ms, so that the client's next request sees it. */
const RELOAD_WAIT = 500;

/** By which options the server was started; it holds no token. */
export interface StartupSurface {
  readonly access: string;
  /** Addresses with ports, as asked for. */
  readonly listen: readonly string[];
  readonly listen_name: string | null;
  readonly advertise: string | null;
  readonly callback_base_url: string | null;
  /** `inline` is a token of an option or of the environment. */
  readonly token_source: "file" | "inline" | "none";
  readonly token_file: string | null;
}

/** What the status routes tell; shapes in `facts/holon.md` §a.5. */
export interface RuntimeStatus extends Reach {
  /** Whether all of it is up, its state files included. */
  readonly healthy: boolean;
  readonly pid: number;
  readonly home_dir: string;
  readonly socket_path: string;
  readonly http_addr: string;
  /** RFC 3339, UTC. */
  readonly started_at: string;
  readonly version: string;
  /** E.g. `node 24.21.0`. */
  readonly runtime: string;
  readonly token_required: boolean;
  /** Equal for starts by the same options. */
  readonly config_fingerprint: string;
  readonly startup_surface: StartupSurface;
  /** `daemon` in the background, `serve` by a person or a service manager. */
  readonly started_by: "daemon" | "serve";
}

/** The running server, as far as the control routes need it. */
export interface RuntimeControl {
  status(): RuntimeStatus;
  /** Begins an orderly shutdown and returns at once. */
  requestShutdown(): void;
}

/** What {@linkcode configRoutes} needs. */
export interface ConfigRouteDeps {
  readonly config: ConfigService;
  /** `null` when Holon is embedded and nothing runs it as a server. */
  readonly runtime: RuntimeControl | null;
}

/** The routes under `/api/control/runtime`, all of control scope. */
export function configRoutes(deps: ConfigRouteDeps): Route[] {
  const { config } = deps;
  return [
    {
      method: "GET",
      path: "/api/control/runtime/config",
      scope: "control",
      summary: "Gives every setting with its value, its default and when a change takes effect.",
      response: configAnswer,
      handler: async () =>
        jsonResponse({
          ok: true,
          config_file_path: config.path,
          runtime_surface: await surface(config),
          reload: config.reloadState(),
          reach: reachOf(deps),
        }),
    },
    {
      method: "PATCH",
      path: "/api/control/runtime/config",
      scope: "control",
      summary: "Changes settings, all or none; a refused change is answered with 200 and a reason.",
      body: patchBody,
      response: patchAnswer,
      refusals: ["storage_full", "storage_unavailable"],
      handler: async ({ request }) => {
        const { updates } = await readJson(request, patchBody);
        const outcome = await config.patch(updates);
        await atMost(RELOAD_WAIT, config.settled());
        return jsonResponse({
          ok: true,
          changed: outcome.changed,
          config_file_path: config.path,
          results: outcome.results,
          runtime_surface: await surface(config),
          reload: config.reloadState(),
        });
      },
    },
    {
      method: "GET",
      path: "/api/control/runtime/status",
      scope: "control",
      summary: "Tells how the server runs and what it serves by.",
      response: statusAnswer,
      refusals: ["service_unavailable"],
      handler: async () =>
        jsonResponse({
          ok: true,
          ...requireRuntime(deps).status(),
          runtime_surface: await surface(config),
        }),
    },
    {
      method: "GET",
      path: "/api/control/runtime/readiness",
      scope: "control",
      summary: "Tells that the server is ready, and which process it is.",
      response: readinessAnswer,
      refusals: ["service_unavailable"],
      handler: () => jsonResponse({ ok: true, ...requireRuntime(deps).status() }),
    },
    {
      method: "POST",
      path: "/api/control/runtime/shutdown",
      scope: "control",
      summary: "Ends the server in good order.",
      response: shutdownAnswer,
      refusals: ["service_unavailable"],
      handler: () => {
        const runtime = requireRuntime(deps);
        const { pid, home_dir } = runtime.status();
        runtime.requestShutdown();
        return jsonResponse({ ok: true, pid, home_dir, shutdown_requested: true });
      },
    },
  ];
}

/** How the server is reached, which its options say and no setting; `null` where it is embedded. */
function reachOf({ runtime }: ConfigRouteDeps): Reach | null {
  if (runtime === null) return null;
  const { access, listen, advertise_url, callback_base_url } = runtime.status();
  return { access, listen, advertise_url, callback_base_url };
}

/** Every setting as a program sees it. */
async function surface(config: ConfigService): Promise<Record<string, unknown>> {
  const current = config.current();
  let stored: ConfigSnapshot | null = null;
  let problem: string | undefined;
  try {
    stored = await config.stored();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    problem = error.message;
  }
  return {
    config: current.settings,
    effective_local_apps: effectiveAppSettings(current),
    ...(problem === undefined ? {} : { config_file_problem: problem }),
    keys: CONFIG_KEYS.map((key) => ({
      key: key.name,
      value: settingOf(current, key),
      default: key.defaultValue,
      source: current.explicit.has(key.name) ? "file" : "default",
      ...(stored === null ? {} : {
        stored: settingOf(stored, key),
        stored_source: stored.explicit.has(key.name) ? "file" : "default",
      }),
      applies: key.applies,
      kind: key.kind,
      description: key.description,
      aliases: aliasesOf(key),
    })),
  };
}

function requireRuntime(deps: ConfigRouteDeps): RuntimeControl {
  if (deps.runtime !== null) return deps.runtime;
  throw new Fault("service_unavailable", "Holon does not run as a server here");
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => timer = setTimeout(resolve, ms));
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
