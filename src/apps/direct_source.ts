/**
 * The short way to an app's files: where no link is on the way, one open proves it all.
 *
 * @module
 */

import type { HostFiles } from "../host/types.ts";
import type { SidecarNames } from "./sidecar_names.ts";
import type { FileSource } from "./types.ts";

/**
 * Makes the source of files below `<home>/agents/<agent>/apps/<app>`, none of which was resolved.
 * A file that opens by that path, and whose own path is the same, lies inside the folder, and so
 * does the folder inside its agent's: no part of it can be a link. Any other file, and every
 * refusal, is left to the way that looks at each part.
 *
 * @param root the app's folder, by the agent's and the app's id
 * @param resolved gives the source of the folder's files by its canonical path
 */
export function directSource(
  files: HostFiles,
  root: string,
  sidecars: SidecarNames,
  resolved: () => Promise<FileSource>,
): FileSource {
  return {
    open(components) {
      const file = files.openDirect(`${root}/${components.join("/")}`);
      if (file?.stat.kind === "file") return { file, name: components.at(-1) ?? "" };
      file?.close();
      return resolved().then((source) => source.open(components));
    },
    codingsBeside(components) {
      const parents = components.slice(0, -1);
      return sidecars.beside([root, ...parents].join("/"), components.at(-1) ?? "");
    },
  };
}
