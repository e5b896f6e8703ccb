/**
 * The rules for paths below an app's root (`facts/holon.md` §d.4, `design.md` decision 3).
 *
 * @module
 */

import { Fault } from "../fault.ts";

/**
 * Splits a decoded path into its components: leading, repeated and trailing slashes and `.` vanish.
 * The root itself gives none.
 *
 * @throws {Fault} `forbidden` for `..` and hidden components, `bad_request` for backslashes and
 * control characters
 */
export function assetComponents(path: string): readonly string[] {
  // deno-lint-ignore no-control-regex
  if (/[\u0000-\u001f\u007f\\]/.test(path)) {
    throw new Fault("bad_request", "The path has a backslash or a control character");
  }
  const components = path.split("/").filter((component) => component !== "" && component !== ".");
  if (components.includes("..")) throw new Fault("forbidden", 'The path has a ".." component');
  if (components.some(isHidden)) throw hiddenFault();
  return components;
}

/** Whether a component is hidden: it begins with a dot, like `.env` and `.git`. */
export function isHidden(component: string): boolean {
  return component.startsWith(".");
}

/** The refusal of a hidden component. */
export function hiddenFault(): Fault {
  return new Fault("forbidden", "Names that begin with a dot are hidden and not served");
}

/** The refusal of a path that leaves the app's folder. */
export function escapeFault(): Fault {
  return new Fault("forbidden", "The path leads out of the app's folder");
}

/** Whether a canonical path is the folder itself or below it. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
