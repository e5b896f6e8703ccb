/**
 * The settings of a home as the rest of Holon reads them.
 *
 * @module
 */

/** Which of the two contracts apps are served by (`design.md` decision 1). */
export type AppProfile = "open" | "strict";

/** Who gets live reload: `auto` means browsers on this machine. */
export type LiveReloadMode = "auto" | "off" | "on";

/** Every setting with its value: from `config.json` where it is set there, else the default. */
export interface Settings {
  readonly local_apps: {
    /** Bytes; a larger file is refused. */
    readonly max_asset_bytes: number;
    /** A whole `Content-Security-Policy` value; `null` sends none. */
    readonly csp: string | null;
    readonly profile: AppProfile;
    /** Whether a file is sent from a compressed one beside it. */
    readonly precompressed: boolean;
    readonly live_reload: LiveReloadMode;
    /** Apps with an origin of their own, as `agent/app`; `all` stands for every one. */
    readonly own_origin: readonly string[];
    /** A domain whose names below lead here; `null` for none. */
    readonly origin_domain: string | null;
  };
  readonly server: {
    /** Host names and IP literals without ports, besides the loopback names. */
    readonly allowed_hosts: readonly string[];
    /** Bare http(s) origins. */
    readonly trusted_origins: readonly string[];
    /** IP addresses and CIDR ranges. */
    readonly trusted_proxies: readonly string[];
    readonly blocking_files: boolean;
  };
  readonly auth: {
    readonly session_idle_hours: number;
    /** `null` or 0 for no limit. */
    readonly session_absolute_days: number | null;
  };
  readonly agents: {
    readonly default: string;
  };
  readonly events: {
    /** Events kept per agent. */
    readonly window: number;
  };
  readonly messages: {
    /** Days that finished messages are kept. */
    readonly keep_days: number;
    /** Finished messages kept per agent. */
    readonly keep_count: number;
  };
}

/** The settings at one moment; a request keeps the snapshot that it started with. */
export interface ConfigSnapshot {
  readonly settings: Settings;
  /** Names of the keys that `config.json` sets, e.g. `local_apps.csp`. */
  readonly explicit: ReadonlySet<string>;
}

/** What serving apps depends on, with the profile worked in. */
export interface AppSettings {
  readonly maxAssetBytes: number;
  readonly csp: string | null;
  /** Whether an app without `manifest.json` is refused. */
  readonly manifestRequired: boolean;
  /** Whether only the older guide's file types are served (415 for others). */
  readonly typesLimited: boolean;
  /** Whether a file is sent from a compressed one beside it, to clients that accept it. */
  readonly precompressed: boolean;
}

/** The older guide's limit of 8 MiB (`contracts/holon-host-local-apps-v047.md`, Asset Boundaries). */
const STRICT_MAX_ASSET_BYTES = 8 * 1024 * 1024;

/**
 * The strict profile's policy: everything from the same origin, images and fonts also from `data:`,
 * inline scripts and styles allowed, nothing embedded (`contracts/holon-host-local-apps-v047.md`,
 * Security Invariants).
 */
export const STRICT_CSP: string =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; object-src 'none'; " +
  "frame-src 'none'; base-uri 'self'; form-action 'self'";

/**
 * Works the profile into the app settings: a key that is set explicitly beats the profile
 * (`design.md` decision 1).
 */
export function effectiveAppSettings(snapshot: ConfigSnapshot): AppSettings {
  let settings = effective.get(snapshot);
  if (settings === undefined) effective.set(snapshot, settings = workOut(snapshot));
  return settings;
}

/** Asked for several times a request, while a snapshot never changes. */
const effective = new WeakMap<ConfigSnapshot, AppSettings>();

function workOut(snapshot: ConfigSnapshot): AppSettings {
  const { max_asset_bytes, csp, profile, precompressed } = snapshot.settings.local_apps;
  const strict = profile === "strict";
  const limitIsSet = snapshot.explicit.has("local_apps.max_asset_bytes");
  const cspIsSet = snapshot.explicit.has("local_apps.csp");
  const precompressedIsSet = snapshot.explicit.has("local_apps.precompressed");
  return {
    maxAssetBytes: strict && !limitIsSet ? STRICT_MAX_ASSET_BYTES : max_asset_bytes,
    csp: strict && !cspIsSet ? STRICT_CSP : csp,
    manifestRequired: strict,
    typesLimited: strict,
    // The older guide sends files as they are, and lists no compressed type.
    precompressed: precompressed && (!strict || precompressedIsSet),
  };
}
