/**
 * The schema of `config.json`: one sentence, one default and one rule for each key.
 *
 * @module
 */

import { z } from "zod";
import { isSegment } from "../identifiers.ts";
import type { Settings } from "./settings.ts";
import {
  appProblem,
  canonicalHost,
  canonicalOrigin,
  headerValueProblem,
  hostProblem,
  originDomainProblem,
  originProblem,
  proxyProblem,
} from "./value_rules.ts";

/** When a change takes effect: on the next request, or when the server starts again. */
export type Applies = "live" | "restart";

/** How a person writes a value on a command line. */
export type ValueKind = "boolean" | "choice" | "integer" | "list" | "text";

/** One key of the configuration. */
export interface ConfigKey {
  /** Group and name, e.g. `local_apps.csp`. */
  readonly name: string;
  readonly group: string;
  readonly member: string;
  readonly kind: ValueKind;
  readonly applies: Applies;
  readonly description: string;
  readonly defaultValue: unknown;
  /** What is wrong with a value, as a sentence that begins with the key; `null` when nothing is. */
  problem(value: unknown): string | null;
  /** The one spelling of a sound value, for those that compare it. */
  canonical(value: unknown): unknown;
}

const MAX_LIST = 256;

const SPELLING = new Map<z.ZodType, (item: string) => string>();

/** A rule that gives its problem as the end of a sentence. */
function ruled<T>(schema: z.ZodType<T>, problem: (value: T) => string | null): z.ZodType<T> {
  return schema.superRefine((value, context) => {
    const message = problem(value);
    if (message !== null) context.addIssue({ code: "custom", message });
  });
}

function count(unit: string, highest: number): z.ZodType<number> {
  const message = `has to be a whole number of ${unit} from 1 to ${highest}`;
  return z.int({ error: message }).min(1, message).max(highest, message);
}

function list(item: (value: string) => string | null): z.ZodType<readonly string[]> {
  const message = `has to be a list of at most ${MAX_LIST} texts`;
  return ruled(
    z.array(z.string({ error: message }), { error: message }).max(MAX_LIST, message),
    (values) => values.map(item).find((problem) => problem !== null) ?? null,
  );
}

function setting<T>(
  schema: z.ZodType<T>,
  meta: {
    kind: ValueKind;
    applies: Applies;
    fallback: T;
    description: string;
    /** For lists: the one spelling of an item. */
    spell?: (item: string) => string;
  },
): z.ZodType<T> {
  // Zod's own `.default()` would fill in keys on parsing; which keys are explicit has to stay
  // known, so the default is only noted (and shown in the JSON Schema).
  const rule = schema.optional().meta({
    description: meta.description,
    default: meta.fallback,
    "x-kind": meta.kind,
    "x-applies": meta.applies,
  }) as unknown as z.ZodType<T>;
  if (meta.spell !== undefined) SPELLING.set(rule, meta.spell);
  return rule;
}

const DAYS_OR_NONE = "has to be a whole number of days from 1 to 3650, or null for no limit";

const GROUPS = {
  local_apps: {
    max_asset_bytes: setting(count("bytes", Number.MAX_SAFE_INTEGER), {
      kind: "integer",
      applies: "live",
      fallback: 67_108_864,
      description:
        "Largest file of an app that is served, in bytes; a larger one is answered with 413.",
    }),
    csp: setting(
      ruled(
        z.string({ error: "has to be a text or null" }).nullable(),
        (value) => value === null ? null : headerValueProblem(value),
      ),
      {
        kind: "text",
        applies: "live",
        fallback: null,
        description:
          "Whole Content-Security-Policy header that apps are sent with; null sends none.",
      },
    ),
    profile: setting(z.enum(["open", "strict"], { error: 'has to be "open" or "strict"' }), {
      kind: "choice",
      applies: "live",
      fallback: "open",
      description:
        "Rules that apps are served by: open, or strict (manifest required, 8 MiB, known file " +
        "types only, a baseline Content-Security-Policy).",
    }),
    precompressed: setting(z.boolean({ error: "has to be true or false" }), {
      kind: "boolean",
      applies: "live",
      fallback: true,
      description:
        "Whether a file of an app is sent from a compressed one beside it (x.br, x.zst or x.gz " +
        "for x) to clients that accept it; under the profile strict only if set explicitly.",
    }),
    live_reload: setting(
      z.enum(["auto", "on", "off"], { error: 'has to be "auto", "on" or "off"' }),
      {
        kind: "choice",
        applies: "live",
        fallback: "auto",
        description:
          "Whether pages that load holon.js load themselves anew when a file of their app " +
          "changes: auto (in browsers on this machine), on or off.",
      },
    ),
    own_origin: setting(list(appProblem), {
      kind: "list",
      applies: "live",
      fallback: [],
      description:
        "Apps that have an origin of their own, such as main/ping-card, or all: pages of other " +
        "apps can't read them, nor what browsers store for them.",
    }),
    origin_domain: setting(
      ruled(
        z.string({ error: "has to be a domain or null" }).nullable(),
        (value) => value === null ? null : originDomainProblem(value),
      ),
      {
        kind: "text",
        applies: "live",
        fallback: null,
        description:
          "Domain, such as apps.example.net, below which apps have their own origins for other " +
          "machines; it and all names below it lead here. Needs a token.",
      },
    ),
  },
  server: {
    allowed_hosts: setting(list(hostProblem), {
      kind: "list",
      applies: "live",
      fallback: [],
      spell: canonicalHost,
      description:
        "Host names, besides the loopback names, that requests may be addressed to; a public one " +
        "needs a token.",
    }),
    trusted_origins: setting(list(originProblem), {
      kind: "list",
      applies: "live",
      fallback: [],
      spell: canonicalOrigin,
      description: "Origins of other sites whose pages may call this server, such as a proxy's.",
    }),
    trusted_proxies: setting(list(proxyProblem), {
      kind: "list",
      applies: "live",
      fallback: [],
      description:
        "Addresses of reverse proxies whose forwarding headers are believed; needs a token.",
    }),
    blocking_files: setting(z.boolean({ error: "has to be true or false" }), {
      kind: "boolean",
      applies: "restart",
      fallback: true,
      description:
        "Whether small reads of app files are done at once, which is faster on local disks; turn " +
        "it off for a network disk.",
    }),
  },
  auth: {
    session_idle_hours: setting(count("hours", 87_600), {
      kind: "integer",
      applies: "live",
      fallback: 168,
      description: "Hours after which a session ends that makes no request.",
    }),
    session_absolute_days: setting(
      z.int({ error: DAYS_OR_NONE }).min(0, DAYS_OR_NONE).max(3_650, DAYS_OR_NONE).nullable(),
      {
        kind: "integer",
        applies: "live",
        fallback: null,
        description:
          "Days after which a session ends however much it is used; null, or 0, for no such end.",
      },
    ),
  },
  agents: {
    default: setting(
      ruled(
        z.string({ error: "has to be the id of an agent" }),
        (value) =>
          isSegment(value)
            ? null
            : 'is no agent id: use 1 to 128 letters, digits, "-", "_" and ".", no dot in front',
      ),
      {
        kind: "text",
        applies: "live",
        fallback: "main",
        description: "Agent that is meant where none is named.",
      },
    ),
  },
  events: {
    window: setting(count("events", 10_000_000), {
      kind: "integer",
      applies: "live",
      fallback: 10_000,
      description: "Newest events of each agent that are kept for clients that reconnect.",
    }),
  },
  messages: {
    keep_days: setting(count("days", 36_500), {
      kind: "integer",
      applies: "live",
      fallback: 30,
      description: "Days that finished messages are kept.",
    }),
    keep_count: setting(count("messages", 10_000_000), {
      kind: "integer",
      applies: "live",
      fallback: 10_000,
      description: "Newest finished messages of each agent that are kept.",
    }),
  },
};

const schema = z.looseObject({
  local_apps: z.looseObject(GROUPS.local_apps).optional(),
  server: z.looseObject(GROUPS.server).optional(),
  auth: z.looseObject(GROUPS.auth).optional(),
  agents: z.looseObject(GROUPS.agents).optional(),
  events: z.looseObject(GROUPS.events).optional(),
  messages: z.looseObject(GROUPS.messages).optional(),
});

/** Every key, in the order in which they are shown. */
export const CONFIG_KEYS: readonly ConfigKey[] = Object.entries(GROUPS).flatMap(
  ([group, members]) =>
    Object.entries(members).map(([member, rule]) => configKey(group, member, rule)),
);

/** The default of every key. */
export const DEFAULT_SETTINGS: Settings = Object.freeze(Object.fromEntries(
  Object.keys(GROUPS).map((group) => [
    group,
    Object.freeze(Object.fromEntries(
      CONFIG_KEYS.filter((key) => key.group === group)
        .map((key) => [key.member, key.defaultValue]),
    )),
  ]),
)) as unknown as Settings;

/** Another name of a key that upstream's configuration has for it. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["api.csrf.trusted_origins", "server.trusted_origins"],
]);

const BY_NAME: ReadonlyMap<string, ConfigKey> = new Map(CONFIG_KEYS.map((key) => [key.name, key]));

/** Finds a key by its name or an alias of it. */
export function findConfigKey(name: string): ConfigKey | undefined {
  return BY_NAME.get(ALIASES.get(name) ?? name);
}

/** The aliases of a key, e.g. `api.csrf.trusted_origins`. */
export function aliasesOf(key: ConfigKey): readonly string[] {
  return [...ALIASES].filter(([, name]) => name === key.name).map(([alias]) => alias);
}

/** The JSON Schema of `config.json` (draft 2020-12). */
export function configJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(schema, { io: "input" }) as Record<string, unknown>;
}

function configKey(group: string, member: string, rule: z.ZodType): ConfigKey {
  const meta = rule.meta() ?? {};
  const name = `${group}.${member}`;
  return {
    name,
    group,
    member,
    kind: meta["x-kind"] as ValueKind,
    applies: meta["x-applies"] as Applies,
    description: String(meta.description),
    defaultValue: meta["default"],
    canonical(value) {
      const spell = SPELLING.get(rule);
      return spell !== undefined && Array.isArray(value) ? value.map(spell) : value;
    },
    problem(value) {
      if (value === undefined) return `${name} has no value`;
      const parsed = rule.safeParse(value);
      return parsed.success ? null : `${name} ${parsed.error.issues[0]?.message ?? "is not valid"}`;
    },
  };
}
