/**
 * The short way to an app's files: where no link is on the way, one open proves it all.
 *
 * @module
 */

import type { Moment } from "../host/moment.ts";
import type { HostFiles } from "../host/types.ts";
import type { SidecarNames } from "./sidecar_names.ts";
import type { FileSource } from "./types.ts";

/** What the short way needs. */
export interface DirectSourceOptions {
  readonly files: HostFiles;
  /** The app's folder, by the agent's and the app's id. */
  readonly root: string;
  readonly sidecars: SidecarNames;
  /** Gives the source of the folder's files by its canonical path. */
  readonly resolved: () => Promise<FileSource>;
  /** The requests that the files are for. */
  readonly moment: Moment | undefined;
}

/**
 * Makes the source of files below `<home>/agents/<agent>/apps/<app>`, none of which was resolved.
 * A file that opens by that path, and whose own path is the same, lies inside the folder, and so
 * does the folder inside its agent's: no part of it can be a link. Any other file, and every
 * refusal, is left to the way that looks at each part.
 */
export function directSource(options: DirectSourceOptions): FileSource {
  const { files, root, sidecars, resolved, moment } = options;
  return {
    open(components, again = false) {
      const path = `${root}/${components.join("/")}`;
      const file = files.openDirect(path, again ? undefined : moment);
      if (file?.stat.kind === "file") return { file, name: components.at(-1) ?? "" };
      file?.close();
      return resolved().then((source) => source.open(components));
    },
    codingsBeside(components) {
      const parents = components.slice(0, -1);
      return sidecars.beside([root, ...parents].join("/"), components.at(-1) ?? "", moment);
    },
  };
}
