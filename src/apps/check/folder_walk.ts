/**
 * Goes through an app's folder: what is in it, and what of it is not served as it is.
 *
 * @module
 */

import type { AppSettings } from "../../config/settings.ts";
import { Fault } from "../../fault.ts";
import type { DirectoryEntry, HostFiles } from "../../host/types.ts";
import { extensionOf } from "../../http/media_types.ts";
import { isHidden } from "../asset_path.ts";
import { SDK_NAMES } from "../sdk_routes.ts";
import { STRICT_EXTENSIONS } from "../strict_profile.ts";
import type { FileSource } from "../types.ts";
import type { Findings } from "./findings.ts";

/** The folder that is checked, and by which rules. */
export interface CheckedFolder {
  readonly files: HostFiles;
  /** The folder's canonical path. */
  readonly root: string;
  readonly source: FileSource;
  readonly settings: AppSettings;
  readonly findings: Findings;
}

/** What is in a folder that has an address. */
export interface FolderIndex {
  /** Paths of files below the root, links to files among them. */
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  /** Bytes of all files. */
  readonly bytes: number;
  /** Whether there was too much to look at all of it. */
  readonly truncated: boolean;
}

/** Bounds on what is looked at. */
const MAX_ENTRIES = 100_000;
const MAX_DEPTH = 64;

/** Types of files that are told of in one finding. */
const NAMED_FILES = 5;

/** Looks at every entry of the folder. */
export async function walkFolder(folder: CheckedFolder): Promise<FolderIndex> {
  const walk = new Walk(folder);
  await walk.enter([]);
  walk.tellOfStrictTypes();
  return walk;
}

// --- internal ---

class Walk implements FolderIndex {
  readonly files = new Set<string>();
  readonly folders = new Set<string>();
  bytes = 0;
  truncated = false;
  readonly #folder: CheckedFolder;
  /** Files that the profile strict would not serve. */
  readonly #unlisted: string[] = [];
  #entries = 0;

  constructor(folder: CheckedFolder) {
    this.#folder = folder;
  }

  async enter(parents: readonly string[]): Promise<void> {
    if (parents.length > MAX_DEPTH) {
      this.truncated = true;
      return;
    }
    const room = MAX_ENTRIES - this.#entries;
    const { files, root } = this.#folder;
    const entries = await files.list([root, ...parents].join("/"), room);
    this.#entries += entries.length;
    if (entries.length === room) this.truncated = true;
    for (const entry of entries) await this.#take([...parents, entry.name], entry);
  }

  tellOfStrictTypes(): void {
    const count = this.#unlisted.length;
    if (count === 0) return;
    const names = this.#unlisted.slice(0, NAMED_FILES).join(", ");
    const rest = count > NAMED_FILES ? ` and ${count - NAMED_FILES} more` : "";
    this.#folder.findings.add(
      "note",
      "strict_type",
      null,
      `The profile "strict" would not serve, by their types: ${names}${rest}`,
    );
  }

  async #take(components: readonly string[], entry: DirectoryEntry): Promise<void> {
    const { findings } = this.#folder;
    const path = components.join("/");
    if (isHidden(entry.name)) {
      findings.add("note", "hidden", path, "Hidden, and so not served");
    } else if (!isAddressable(entry.name)) {
      const problem = "Its name has a backslash or a control character: not served";
      findings.add("warning", "not_served", path, problem);
    } else if (entry.kind === "directory") {
      this.folders.add(path);
      await this.enter(components);
    } else if (entry.kind === "other") {
      findings.add("warning", "not_served", path, "Neither a file nor a folder, and so not served");
    } else {
      if (components.length === 1 && SDK_NAMES.has(entry.name)) {
        const problem = "The SDK has this address: the file is not served";
        findings.add("warning", "sdk_name", path, problem);
      }
      await this.#takeFile(components, path, entry.kind === "symlink");
    }
  }

  async #takeFile(components: readonly string[], path: string, isLink: boolean): Promise<void> {
    const { source, settings, findings } = this.#folder;
    try {
      const { file, name } = await source.open(components);
      file.close();
      this.files.add(path);
      this.bytes += file.stat.size;
      this.#checkType(path, name);
      if (file.stat.size > settings.maxAssetBytes) {
        const problem = `Larger than local_apps.max_asset_bytes (${settings.maxAssetBytes} bytes)`;
        findings.add("error", "too_large", path, problem);
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (isLink && await this.#leadsToFolder(path)) return;
      const problem = isLink ? `A link: ${error.message}` : error.message;
      findings.add("warning", "not_served", path, problem);
    }
  }

  #checkType(path: string, name: string): void {
    if (STRICT_EXTENSIONS.has(extensionOf(name))) return;
    const { settings, findings } = this.#folder;
    if (settings.typesLimited) {
      const problem = 'Not served under the profile "strict": its type isn\'t listed';
      findings.add("warning", "strict_type", path, problem);
    } else this.#unlisted.push(path);
  }

  async #leadsToFolder(path: string): Promise<boolean> {
    const { files, root } = this.#folder;
    try {
      const target = await files.realpath(`${root}/${path}`);
      const { kind } = await files.lstat(target);
      return kind === "directory" && target.startsWith(`${root}/`);
    } catch {
      return false;
    }
  }
}

function isAddressable(name: string): boolean {
  // deno-lint-ignore no-control-regex
  return !/[\u0000-\u001f\u007f\\]/.test(name);
}
