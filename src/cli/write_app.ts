/**
 * Writes a template as a new app.
 *
 * @module
 */

import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type TemplateFile, type TemplateName, TEMPLATES } from "../apps/templates_built.ts";
import { HostError, type HostFiles } from "../host/types.ts";
import { CliFailure, hostErrorWords } from "./failure.ts";

/** What to write. */
export interface NewApp {
  readonly files: HostFiles;
  /** The agent's `apps/` folder; it is made where it is missing. */
  readonly appsFolder: string;
  readonly id: string;
  readonly template: TemplateName;
}

/**
 * Writes the app beside its place and moves it there, so that it is never served half written.
 * Gives the app's folder.
 *
 * @throws {CliFailure} when something is there already, or the disk refuses it
 */
export async function writeApp({ files, appsFolder, id, template }: NewApp): Promise<string> {
  const folder = join(appsFolder, id);
  // Hidden names are never served.
  const draft = join(appsFolder, `.new-${id}-${crypto.randomUUID().slice(0, 8)}`);
  try {
    await files.makeDirectory(appsFolder, 0o700);
    await refuseExisting(files, folder, id);
    await files.makeDirectory(draft, 0o700);
    for (const file of TEMPLATES[template]) {
      const path = join(draft, file.path);
      await files.makeDirectory(dirname(path), 0o700);
      await files.create(path, bytesOf(file, id), 0o600);
    }
    await files.rename(draft, folder);
    return folder;
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => {});
    if (!(error instanceof HostError)) throw error;
    throw new CliFailure(`the app can't be written to ${folder}: ${hostErrorWords(error)}`, {
      cause: error,
    });
  }
}

async function refuseExisting(files: HostFiles, folder: string, id: string): Promise<void> {
  try {
    await files.lstat(folder);
  } catch (error) {
    if (error instanceof HostError && error.code === "not_found") return;
    throw error;
  }
  throw new CliFailure(`there is an app ${id} already, and it is left as it is`, {
    hint: `It is in ${folder}; choose another name.`,
  });
}

function bytesOf({ encoding, content }: TemplateFile, id: string): Uint8Array {
  if (encoding === "base64") return Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
  const text = content.replaceAll("{{id}}", id).replaceAll("{{name}}", titleOf(id));
  return new TextEncoder().encode(text);
}

/** `status-card` becomes `Status Card`; an id has no character that HTML or JSON would escape. */
function titleOf(id: string): string {
  const words = id.split(/[-_.]+/).filter((word) => word !== "");
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join(" ") || id;
}
