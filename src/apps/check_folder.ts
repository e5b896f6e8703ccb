/**
 * Checks an app's folder before it is served: what is wrong, and what a visitor won't get.
 *
 * @module
 */

import type { AppSettings } from "../config/settings.ts";
import { Fault } from "../fault.ts";
import type { DirectoryEntry, HostFiles } from "../host/types.ts";
import { isSegment } from "../identifiers.ts";
import { extensionOf } from "../http/media_types.ts";
import { assetComponents, isHidden } from "./asset_path.ts";
import { folderSource } from "./folder_source.ts";
import { SDK_NAMES } from "./sdk_routes.ts";
import { loadApp } from "./service.ts";
import { NO_SIDECARS } from "./sidecar_names.ts";
import { STRICT_EXTENSIONS } from "./strict_profile.ts";
import type { FileSource } from "./types.ts";

/** One thing that was found. */
export interface AppFinding {
  /** `error`: the app or the file is refused; `warning`: it isn't served; `note`: good to know. */
  readonly severity: "error" | "note" | "warning";
  /** Path below the app's root; `null` when it is about the app as a whole. */
  readonly path: string | null;
  readonly message: string;
}

/** What came of a check. */
export interface AppCheck {
  /** The id that the app would have: the folder's name. */
  readonly appId: string;
  readonly findings: readonly AppFinding[];
  /** Regular files that were looked at, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  /** Whether there was too much to look at all of it. */
  readonly truncated: boolean;
}

/** Bounds on what is looked at and told. */
const MAX_ENTRIES = 100_000;
const MAX_FINDINGS = 1000;
const MAX_DEPTH = 64;

/**
 * Checks a folder as if it were served.
 *
 * @param folder any path of the folder
 * @throws {HostError} when there is no such folder
 */
export async function checkAppFolder(
  files: HostFiles,
  folder: string,
  settings: AppSettings,
): Promise<AppCheck> {
  const root = await files.realpath(folder);
  const walk = new Walk(files, root, settings);
  await walk.checkApp();
  await walk.checkEntries([]);
  return walk.result();
}

// --- internal ---

class Walk {
  readonly #files: HostFiles;
  readonly #root: string;
  readonly #settings: AppSettings;
  readonly #source: FileSource;
  readonly #appId: string;
  readonly #findings: AppFinding[] = [];
  #entries = 0;
  #regular = 0;
  #bytes = 0;
  #truncated = false;

  constructor(files: HostFiles, root: string, settings: AppSettings) {
    this.#files = files;
    this.#root = root;
    this.#settings = settings;
    this.#source = folderSource(files, root, NO_SIDECARS);
    this.#appId = root.slice(root.lastIndexOf("/") + 1);
  }

  result(): AppCheck {
    return {
      appId: this.#appId,
      findings: this.#findings,
      files: this.#regular,
      bytes: this.#bytes,
      truncated: this.#truncated,
    };
  }

  /** The folder's name, the manifest and the entry page. */
  async checkApp(): Promise<void> {
    const id = this.#appId;
    if (!isSegment(id)) {
      this.#find(
        "error",
        null,
        `The folder's name can't be an app id: use 1 to 128 letters, digits, "-", "_" and "."`,
      );
    }
    try {
      const { manifestRequired } = this.#settings;
      const folder = { files: this.#files, root: this.#root, sidecars: NO_SIDECARS };
      const app = await loadApp(folder, "", id, manifestRequired);
      await this.#checkEntryPage(app.manifest.entry);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#find("error", null, error.message);
    }
  }

  /** What lies in a folder of the app, and below. */
  async checkEntries(parents: readonly string[]): Promise<void> {
    if (parents.length > MAX_DEPTH) {
      this.#truncated = true;
      return;
    }
    const room = MAX_ENTRIES - this.#entries;
    const entries = await this.#files.list([this.#root, ...parents].join("/"), room);
    this.#entries += entries.length;
    if (entries.length === room) this.#truncated = true;
    const sorted = [...entries].sort((one, other) => one.name < other.name ? -1 : 1);
    for (const entry of sorted) await this.#checkEntry([...parents, entry.name], entry);
  }

  async #checkEntry(components: readonly string[], entry: DirectoryEntry): Promise<void> {
    const path = components.join("/");
    if (isHidden(entry.name)) {
      this.#find("note", path, "Hidden, and so not served");
    } else if (!isAddressable(entry.name)) {
      this.#find("warning", path, "Its name has a backslash or a control character: not served");
    } else if (entry.kind === "directory") {
      await this.checkEntries(components);
    } else if (entry.kind === "other") {
      this.#find("warning", path, "Neither a file nor a folder, and so not served");
    } else {
      if (components.length === 1 && SDK_NAMES.has(entry.name)) {
        this.#find("warning", path, "The SDK has this address: the file is not served");
      }
      await this.#checkFile(components, path, entry.kind === "symlink");
    }
  }

  async #checkFile(components: readonly string[], path: string, isLink: boolean): Promise<void> {
    try {
      const { file, name } = await this.#source.open(components);
      file.close();
      this.#regular += 1;
      this.#bytes += file.stat.size;
      this.#checkType(path, name);
      if (file.stat.size > this.#settings.maxAssetBytes) {
        const limit = this.#settings.maxAssetBytes;
        this.#find("error", path, `Larger than local_apps.max_asset_bytes (${limit} bytes)`);
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (isLink && await this.#leadsToFolder(path)) return;
      this.#find("warning", path, isLink ? `A link: ${error.message}` : error.message);
    }
  }

  #checkType(path: string, name: string): void {
    const extension = extensionOf(name);
    if (this.#settings.typesLimited && !STRICT_EXTENSIONS.has(extension)) {
      this.#find("warning", path, 'Not served under the profile "strict": its type isn\'t listed');
    }
    if (["br", "gz", "unityweb"].includes(extension)) {
      this.#find("note", path, "Sent as it is: the browser won't decompress it");
    }
  }

  async #checkEntryPage(entry: string): Promise<void> {
    try {
      (await this.#source.open(assetComponents(entry))).file.close();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#find("error", entry, `The entry page can't be served: ${error.message}`);
    }
  }

  async #leadsToFolder(path: string): Promise<boolean> {
    try {
      const target = await this.#files.realpath(`${this.#root}/${path}`);
      const { kind } = await this.#files.lstat(target);
      return kind === "directory" && target.startsWith(`${this.#root}/`);
    } catch {
      return false;
    }
  }

  #find(severity: AppFinding["severity"], path: string | null, message: string): void {
    if (this.#findings.length < MAX_FINDINGS) this.#findings.push({ severity, path, message });
    else this.#truncated = true;
  }
}

function isAddressable(name: string): boolean {
  // deno-lint-ignore no-control-regex
  return !/[\u0000-\u001f\u007f\\]/.test(name);
}
