/**
 * What live reload is asked with and tells, for the API reference.
 *
 * @module
 */

import { z } from "zod";

/** The query of `/api/reload`. */
export const reloadQuery: z.ZodType = z.object({
  apps: z.string().describe("Apps as agent/app, with commas between them; at most 64."),
});

/** The data of a `holon_reload`. */
export const reloadData: z.ZodType = z.object({
  app: z.string().describe("The app as agent/app."),
  version: z.string().describe("A digest of the app's files."),
  changed_ms: z.int().describe("How long ago the newest change was, in ms."),
  from: z.string().optional().describe("The version before this change; none in the first word."),
  kind: z.enum(["reload", "style"]).optional().describe("style: only stylesheets changed."),
  paths: z.array(z.string()).optional().describe("The stylesheets, below the app's folder."),
});
