/**
 * What every change of a message shares: the clock, the events, and the events' shape.
 *
 * @module
 */

import type { EventService, EventType } from "../events/types.ts";
import type { SqlRow, Transaction } from "../store/types.ts";

/** What changes of messages need besides the transaction. */
export interface ChangeContext {
  readonly events: Pick<EventService, "append">;
  /** Wall-clock time in ms since the epoch. */
  readonly now: () => number;
}

/** Appends the event that says what became of the message in a row. */
export function appendMessageEvent(
  context: ChangeContext,
  transaction: Transaction,
  row: SqlRow,
  type: EventType,
): void {
  context.events.append(transaction, {
    topic: `agent:${row["agent_id"]}`,
    type,
    messageId: String(row["id"]),
    requestId: row["request_id"] as string | null,
    origin: row["origin"] as string | null,
  });
}
