/**
 * Who may import whom (`design.md` §2), as data.
 *
 * host → http → capability → store; `src/holon.ts` alone wires.
 *
 * @module
 */

import { posix } from "node:path";

/** Folders of `src/` that are capabilities: each has routes, rules and a store of its own. */
export const CAPABILITIES: readonly string[] = [
  "agents",
  "apps",
  "auth",
  "bundles",
  "config",
  "data",
  "events",
  "handshake",
  "mcp",
  "observe",
  "origins",
  "reference",
  "releases",
  "services",
];

/** Folders of `src/` that may name a runtime's own APIs. */
export const RUNTIME_FOLDERS: readonly string[] = ["cli", "host", "store", "tui"];

/** Packages that one place alone may import, so that replacing them is a change of one file. */
const SEAMS: readonly { readonly package: string; readonly owner: RegExp }[] = [
  { package: "deno-std", owner: /^src\/http\/std\.(?:ts|d\.ts)$/ },
  { package: "itty-router", owner: /^src\/http\// },
  { package: "@optique/", owner: /^src\/cli\// },
];

/** Why `from` may not import `to` (both from the root); `undefined` if it may. */
export function importFault(from: string, to: string, typeOnly: boolean): string | undefined {
  const importer = place(from);
  const target = place(to);
  if (importer === undefined) return undefined;
  if (target === undefined) return `${from} is in src/ or sdk/ and imports from outside of it`;
  if (importer.area === "sdk") return sdkFault(target, typeOnly);
  if (target.area === "sdk") {
    // Browser code that is bundled with our pages may share the SDK's streams.
    return importer.folder === "web"
      ? undefined
      : "src/ never imports the SDK's sources, only what is built of them";
  }
  return srcFault(importer, target, typeOnly);
}

/** Why a file may not import a package; `undefined` if it may. */
export function packageFault(from: string, specifier: string): string | undefined {
  if (!from.startsWith("src/")) return undefined;
  const seam = SEAMS.find((it) => specifier.startsWith(it.package));
  if (seam === undefined || seam.owner.test(from)) return undefined;
  return `"${seam.package}" is imported by ${seam.owner.source} only`;
}

interface Place {
  readonly area: "sdk" | "src";
  /** The folder below `src/`; `""` for a file directly in it. */
  readonly folder: string;
  readonly path: string;
  readonly name: string;
}

function place(path: string): Place | undefined {
  const [area, second = ""] = path.split("/");
  const name = posix.basename(path);
  if (area === "sdk") return { area, folder: "", path, name };
  if (area !== "src") return undefined;
  return { area, folder: second === name ? "" : second, path, name };
}

function sdkFault(target: Place, typeOnly: boolean): string | undefined {
  return target.area === "src" && !typeOnly ? "sdk/ imports nothing of src/ but types" : undefined;
}

function srcFault(importer: Place, target: Place, typeOnly: boolean): string | undefined {
  if (importer.path === "src/holon.ts") {
    return isProgram(target.folder) ? "the composition root knows no command" : undefined;
  }
  if (importer.folder === target.folder) return undefined;
  if (target.folder === "" && target.path !== "src/holon.ts") return undefined;
  if (importer.folder === "cli" || importer.folder === "tui") return programFault(target, typeOnly);
  if (target.path === "src/holon.ts") return "only cli/ and mod.ts import the composition root";
  if (isProgram(target.folder)) return `nothing but mod.ts imports ${target.folder}/`;
  if (importer.folder === "") return "a file directly in src/ is a leaf: it imports its like only";
  if (importer.folder === "host") return hostFault(target);
  if (importer.folder === "http") return httpFault(target);
  if (importer.folder === "store") return storeFault(target);
  if (importer.folder === "web") return webFault(target, typeOnly);
  return capabilityFault(target);
}

function isProgram(folder: string): boolean {
  return folder === "cli" || folder === "tui";
}

/** `cli/` and `tui/` reach a daemon over HTTP: no database, no routes. */
function programFault(target: Place, typeOnly: boolean): string | undefined {
  if (typeOnly || target.path === "src/store/home_lock.ts") return undefined;
  if (target.folder === "store" || isStore(target)) {
    return "cli/ and tui/ reach a daemon over HTTP, never its database";
  }
  return isRoutes(target) ? "cli/ and tui/ use no routes" : undefined;
}

/** The listener hands over a target that `http/` parses; of a capability it knows nothing. */
function hostFault(target: Place): string | undefined {
  return target.folder === "http" ? undefined : "host/ imports host/ and http/ only";
}

function httpFault(target: Place): string | undefined {
  return target.folder === "host" ? undefined : "http/ knows no capability, store or page";
}

function storeFault(target: Place): string | undefined {
  return target.folder === "host" ? undefined : "store/ knows no HTTP and no capability";
}

function webFault(target: Place, typeOnly: boolean): string | undefined {
  return typeOnly || target.folder === "http"
    ? undefined
    : "src/web/ imports nothing of other folders but types, and http/ to answer with";
}

function capabilityFault(target: Place): string | undefined {
  if (!CAPABILITIES.includes(target.folder)) return undefined;
  if (isRoutes(target)) return "a capability never imports another's routes";
  if (isStore(target)) return "a capability uses another's service, never its store";
  return undefined;
}

function isRoutes(target: Place): boolean {
  return /^(?:.*_)?routes(?:_.*)?\.ts$/.test(target.name);
}

function isStore(target: Place): boolean {
  return CAPABILITIES.includes(target.folder) && /^store(?:_.*)?\.ts$/.test(target.name);
}
