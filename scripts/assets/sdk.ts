/**
 * The SDK as the server sends it.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bundle } from "./bundle.ts";
import { constant, moduleText } from "./module_text.ts";

/** The text of `src/apps/sdk_built.ts`. */
export async function sdkModule(root: string): Promise<string> {
  const script = await bundle("sdk/src/script.ts", "iife", root);
  const module = await bundle("sdk/src/module.ts", "esm", root);
  const liveScript = await bundle("sdk/src/live_script.ts", "iife", root);
  const liveModule = await bundle("sdk/src/live_module.ts", "esm", root);
  const types = await readFile(join(root, "sdk/holon.d.ts"), "utf8");
  return moduleText("The browser SDK, built of `sdk/`.", [
    constant("SDK_SCRIPT", "string", script + "\n", "The classic script: defines `window.Holon`."),
    constant("SDK_MODULE", "string", module + "\n", "The same as an ES module."),
    constant("LIVE_SDK_SCRIPT", "string", liveScript + "\n", "The script with live reload."),
    constant("LIVE_SDK_MODULE", "string", liveModule + "\n", "The module with live reload."),
    constant("SDK_TYPES", "string", types, "Types of both, for authors of apps."),
  ]);
}
