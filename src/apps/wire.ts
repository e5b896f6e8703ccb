/**
 * What the routes below `/apps` answer with, for the API reference.
 *
 * @module
 */

import { z } from "zod";

/** Answer of `GET /apps/{agent}` (`facts/holon.md` §a.2). */
export const appListAnswer: z.ZodType = z.object({
  agent_id: z.string(),
  apps: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      version: z.string(),
      entry: z.string().describe("Path of the entry page in the app's folder."),
      description: z.string().nullable(),
      url: z.string().describe("Path of the app's page."),
      isolation: z.literal(true).optional(),
      fallback: z.string().optional(),
    }).meta({ id: "AppSummary" }),
  ),
});

/** Answer of `GET …/context`. */
export const contextAnswer: z.ZodType = z.object({
  sdk_version: z.literal("1"),
  agent_id: z.string(),
  app_id: z.string(),
  session: z.object({ authenticated: z.literal(true) }),
});

/** Answer of `POST …/request` (`facts/holon.md` §a.3). */
export const requestAnswer: z.ZodType = z.object({
  ok: z.literal(true),
  version: z.literal("1"),
  request_id: z.string().describe("The app's own id, or the message's where it gave none."),
  agent_id: z.string(),
  app_id: z.string(),
  status: z.literal("accepted"),
  message_id: z.string(),
});

/** The data of a `holon_event` of an app (`facts/holon.md` §e.3). */
export const appEventData: z.ZodType = z.object({
  version: z.literal("1"),
  agent_id: z.string(),
  app_id: z.string(),
  event: z.object({
    sequence: z.int(),
    type: z.string().describe("Such as message_succeeded; clients ignore what they don't know."),
    timestamp: z.iso.datetime(),
    message_id: z.string().nullable(),
    request_id: z.string().nullable(),
  }),
}).meta({ id: "AppEvent" });
