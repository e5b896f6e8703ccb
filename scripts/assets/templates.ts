/**
 * The example apps as templates for new ones.
 *
 * @module
 */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { constant, moduleText } from "./module_text.ts";

/** A file of a template, as the generated module has it. */
interface TemplateFile {
  readonly path: string;
  readonly encoding: "base64" | "utf8";
  readonly content: string;
}

const NAMES = ["blank", "card", "dashboard", "form", "game", "ping-card", "wasm"] as const;

/** The app of the first run: one of its kind, written as it is. */
const FIXED = "ping-card";

const TYPES =
  `/** A file of a template: text, in which \`{{id}}\` and \`{{name}}\` are to be filled in, or bytes. */
export interface TemplateFile {
  /** Relative path in the app's folder. */
  readonly path: string;
  readonly encoding: "base64" | "utf8";
  readonly content: string;
}

/** Names of the templates. */
export type TemplateName = ${NAMES.map((name) => `"${name}"`).join(" | ")};`;

/** The text of `src/apps/templates_built.ts`. */
export async function templatesModule(root: string): Promise<string> {
  const templates: Record<string, readonly TemplateFile[]> = {};
  for (const name of NAMES) {
    templates[name] = await readTemplate(
      join(root, "sdk/examples", name),
      name !== FIXED,
    );
  }
  return moduleText("Templates for new apps, built of `sdk/examples/`.", [
    TYPES,
    constant(
      "TEMPLATES",
      "Readonly<Record<TemplateName, readonly TemplateFile[]>>",
      templates,
      "The files of each template.",
    ),
  ]);
}

async function readTemplate(folder: string, renames: boolean): Promise<readonly TemplateFile[]> {
  const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
  const files: TemplateFile[] = [];
  for (const path of (await readdir(folder)).sort()) {
    const bytes = await readFile(join(folder, path));
    if (path.endsWith(".wasm")) {
      files.push({ path, encoding: "base64", content: bytes.toString("base64") });
      continue;
    }
    let content = bytes.toString("utf8");
    if (renames) content = content.replaceAll(manifest.name, "{{name}}");
    if (renames && path === "manifest.json") {
      content = content.replace(`"id": "${manifest.id}"`, '"id": "{{id}}"');
    }
    files.push({ path, encoding: "utf8", content });
  }
  return files;
}
