/**
 * What the routes under `/api/control/runtime` take and answer with (`facts/holon.md` §a.5).
 *
 * @module
 */

import { z } from "zod";

/** The changes of a PATCH. */
export interface PatchBody {
  readonly updates: {
    readonly key: string;
    readonly value?: unknown;
    readonly unset?: boolean | undefined;
  }[];
}

/** Shape of {@linkcode PatchBody}. */
export const patchBody: z.ZodType<PatchBody> = z.strictObject({
  updates: z.array(z.strictObject({
    key: z.string().min(1).max(200).describe("Such as local_apps.csp."),
    value: z.unknown().optional().describe("The new value."),
    unset: z.boolean().optional().describe("Back to the default."),
  })).max(100),
}).meta({ examples: [{ updates: [{ key: "local_apps.max_asset_bytes", value: 134217728 }] }] });

const setting = z.object({
  key: z.string(),
  value: z.unknown().describe("What is in effect."),
  default: z.unknown(),
  source: z.enum(["default", "file"]),
  stored: z.unknown().describe("What config.json says now."),
  stored_source: z.enum(["default", "file"]).optional(),
  applies: z.enum(["live", "restart"]),
  kind: z.enum(["boolean", "choice", "integer", "list", "text"]),
  description: z.string(),
  aliases: z.array(z.string()),
}).partial({ stored: true }).meta({ id: "Setting" });

const surface = z.object({
  config: z.record(z.string(), z.record(z.string(), z.unknown())),
  effective_local_apps: z.record(z.string(), z.unknown()),
  config_file_problem: z.string().optional(),
  keys: z.array(setting),
}).meta({ id: "Settings" });

const reload = z.object({
  requested_generation: z.int(),
  completed_generation: z.int(),
  state: z.enum(["applying", "completed", "failed", "idle"]),
  last_error: z.string().optional(),
}).meta({ id: "Reload" });

const reachFields = {
  access: z.enum(["lan", "local", "tailnet", "tunnel"]),
  listen: z.array(z.string()).describe("Addresses with the ports that were taken."),
  advertise_url: z.string().nullable().describe("What clients are told to dial."),
  callback_base_url: z.string().describe("For callbacks from outside."),
};

const statusFields = {
  ok: z.literal(true),
  healthy: z.boolean(),
  pid: z.int(),
  home_dir: z.string(),
  socket_path: z.string(),
  http_addr: z.string(),
  started_at: z.iso.datetime(),
  version: z.string(),
  runtime: z.string().describe("Such as node 24.21.0."),
  token_required: z.boolean(),
  config_fingerprint: z.string().describe("Equal for starts by the same options."),
  startup_surface: z.object({
    access: z.string(),
    listen: z.array(z.string()).describe("As asked for."),
    listen_name: z.string().nullable(),
    advertise: z.string().nullable(),
    callback_base_url: z.string().nullable(),
    token_source: z.enum(["file", "inline", "none"]),
    token_file: z.string().nullable(),
  }).describe("The options of the start; never a token."),
  started_by: z.enum(["daemon", "serve"]),
  ...reachFields,
};

/** Answer of `GET …/config`. */
export const configAnswer: z.ZodType = z.object({
  ok: z.literal(true),
  config_file_path: z.string(),
  runtime_surface: surface,
  reload,
  reach: z.object(reachFields).nullable().describe("By the options of the start; not a setting."),
});

/** Answer of `PATCH …/config`. */
export const patchAnswer: z.ZodType = z.object({
  ok: z.literal(true),
  changed: z.boolean().describe("Whether config.json has other content now."),
  config_file_path: z.string(),
  results: z.array(z.object({
    key: z.string(),
    effect: z.enum(["accepted_reload_scheduled", "accepted_requires_restart", "rejected"]),
    reason: z.string(),
  })),
  runtime_surface: surface,
  reload,
});

/** Answer of `GET …/status`. */
export const statusAnswer: z.ZodType = z.object({ ...statusFields, runtime_surface: surface });

/** Answer of `GET …/readiness`. */
export const readinessAnswer: z.ZodType = z.object(statusFields);

/** Answer of `POST …/shutdown`. */
export const shutdownAnswer: z.ZodType = z.object({
  ok: z.literal(true),
  pid: z.int(),
  home_dir: z.string(),
  shutdown_requested: z.literal(true),
});
