/**
 * The main loop: takes what is on the channel, works it into the state, hands effects to the
 * background, draws. It awaits nothing but the channel.
 *
 * @module
 */

import type { Channel } from "./link/channel.ts";
import { createChannel } from "./link/channel.ts";
import type { Screen } from "./screen/types.ts";
import type { Effect, TuiEvent } from "./state/events.ts";
import { reduce, start } from "./state/reduce.ts";
import type { TuiState } from "./state/types.ts";
import { paint, type Theme } from "./text/theme.ts";
import { frameOf } from "./views/frame.ts";

/** Between two drawings of what comes from the network, in ms; keys are drawn at once. */
export const DRAW_PAUSE_MS: number = 100;
/** Between two looks at the clock, in ms. */
const TICK_MS = 250;
/** The most stream events that may wait for the loop. */
const CAPACITY = 2000;

/** What the loop works with. */
export interface MainLoopOptions {
  readonly state: TuiState;
  readonly channel: Channel<TuiEvent>;
  readonly screen: Screen;
  readonly theme: Theme;
  readonly now: () => number;
  readonly newKey: () => string;
  readonly run: (effect: Effect) => void;
}

/** The one channel that everything reaches the loop on. */
export function createEventChannel(): Channel<TuiEvent> {
  return createChannel<TuiEvent>({
    capacity: CAPACITY,
    keyOf: ({ kind }) => COALESCED.has(kind) ? kind : null,
    mayDrop: ({ kind }) => kind === "event",
    onDropped: (event) =>
      event.kind === "event"
        ? {
          kind: "gap",
          generation: event.generation,
          now: event.now,
          reason: "events came faster than they could be shown",
        }
        : event,
  });
}

/** The later one of these stands for all that wait. */
const COALESCED: ReadonlySet<TuiEvent["kind"]> = new Set(
  [
    "agents",
    "agentsFailed",
    "alive",
    "gap",
    "messages",
    "resize",
    "tick",
  ] as const,
);

/** Runs until the channel is closed. */
export async function runMainLoop(options: MainLoopOptions): Promise<void> {
  const { channel, screen, theme, now, newKey, run } = options;
  const begun = start(options.state);
  let state = begun.state;
  let drawnAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const ticking = setInterval(() => {
    screen.checkSize();
    channel.put({ kind: "tick", now: now() });
  }, TICK_MS);

  function draw(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    drawnAt = now();
    const { lines, cursor, maxScroll } = frameOf(state);
    if (state.view.scroll > maxScroll) {
      state = { ...state, view: { ...state.view, scroll: maxScroll } };
    }
    screen.draw(lines.map((row) => paint(row, theme)), cursor);
  }

  try {
    begun.effects.forEach(run);
    draw();
    for (;;) {
      const events = await channel.take();
      if (events.length === 0) return;
      let typed = false;
      for (const event of events) {
        const reduced = reduce(state, event, { newKey });
        state = reduced.state;
        reduced.effects.forEach(run);
        typed ||= isTyped(event);
      }
      if (typed) draw();
      else timer ??= setTimeout(draw, Math.max(0, drawnAt + DRAW_PAUSE_MS - now()));
    }
  } finally {
    clearInterval(ticking);
    if (timer !== null) clearTimeout(timer);
  }
}

function isTyped({ kind }: TuiEvent): boolean {
  return kind === "key" || kind === "text" || kind === "paste" || kind === "resize";
}
