/**
 * Holon's own pages: their HTML with the names of their assets, which change with their content.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bundle } from "./bundle.ts";
import { constant, moduleText } from "./module_text.ts";

/** A file of a page, as the generated module has it. */
interface Asset {
  readonly path: string;
  readonly type: string;
  readonly isPublic: boolean;
  readonly text: string;
}

const ASSET_TYPE = `/** A file of a page. */
export interface WebAsset {
  /** Its address; the name changes with the content. */
  readonly path: string;
  /** Its media type. */
  readonly type: string;
  /** Whether it is sent to those who are not signed in. */
  readonly isPublic: boolean;
  readonly text: string;
}`;

/** The text of `src/web/built.ts`. */
export async function pagesModule(root: string): Promise<string> {
  const script = async (name: string, entry: string, isPublic: boolean) =>
    asset(name, "js", await bundle(entry, "esm", root), isPublic);
  const style = async (name: string, entry: string, isPublic: boolean) =>
    asset(name, "css", await bundle(entry, "esm", root), isPublic);
  const assets = {
    "home.js": await script("home", "src/web/home/main.ts", false),
    "home.css": await style("home", "src/web/styles/home.css", false),
    "docs.js": await script("docs", "src/web/docs/main.ts", false),
    "docs.css": await style("docs", "src/web/styles/docs.css", false),
    "sign_in.js": await script("sign_in", "src/web/sign_in/main.ts", true),
    "sign_in.css": await style("sign_in", "src/web/styles/sign_in.css", true),
    "pair.js": await script("pair", "src/web/pair/main.ts", true),
    "pair.css": await style("pair", "src/web/styles/pair.css", true),
  };
  const page = async (name: string) => {
    const html = await readFile(join(root, "src/web/pages", name), "utf8");
    return html.replace(/\{\{([a-z_.]+)\}\}/g, (_, key: keyof typeof assets) => assets[key].path);
  };
  const errorStyle = await bundle("src/web/styles/error.css", "esm", root);
  return moduleText("Holon's own pages, built of `src/web/`.", [
    ASSET_TYPE,
    constant("ASSETS", "readonly WebAsset[]", Object.values(assets), "Scripts and styles."),
    constant("HOME_PAGE", "string", await page("home.html"), "The home page."),
    constant("DOCS_PAGE", "string", await page("docs.html"), "The API reference."),
    constant("PAIR_PAGE", "string", await page("pair.html"), "The page of a pairing link."),
    constant("SIGN_IN_PAGE", "string", await page("sign_in.html"), "The sign-in page."),
    constant("ERROR_STYLE", "string", errorStyle, "The style of error pages."),
    constant(
      "ERROR_STYLE_DIGEST",
      "string",
      createHash("sha256").update(errorStyle).digest("base64"),
      "SHA-256 of that style, in base64, for a content security policy.",
    ),
    constant(
      "ICON",
      "string",
      await readFile(join(root, "src/web/pages/icon.svg"), "utf8"),
      "The icon, as SVG.",
    ),
  ]);
}

function asset(name: string, kind: "css" | "js", text: string, isPublic: boolean): Asset {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 10);
  const type = kind === "js" ? "text/javascript; charset=utf-8" : "text/css; charset=utf-8";
  return { path: `/-/${name}.${digest}.${kind}`, type, isPublic, text: text + "\n" };
}
