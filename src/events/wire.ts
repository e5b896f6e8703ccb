/**
 * What event streams carry, for the API reference.
 *
 * @module
 */

import { z } from "zod";

/** The data of a `holon_event` of an agent, as `agentEventText()` writes it. */
export const agentEventData: z.ZodType = z.object({
  version: z.literal("1"),
  agent_id: z.string(),
  event: z.object({
    sequence: z.int(),
    type: z.string().describe("Such as message_succeeded; clients ignore what they don't know."),
    timestamp: z.iso.datetime(),
    message_id: z.string().nullable(),
    request_id: z.string().nullable(),
    origin: z.string().nullable().describe("operator, worker or app:<id>: who sent the message."),
  }),
}).meta({ id: "AgentEvent" });
