import type { AppState } from "./state.ts";
import { swapStyles } from "./styles.ts";

/** Clocks of file systems tick this coarsely, in ms. */
const TICK_MS = 20;

/** Pauses between looks at whether the page can be loaded again, in ms; the last one repeats. */
const PAUSES = [250, 500, 1_000, 2_000, 5_000] as const;

/** Where a page leaves the version for which it loads itself anew. */
const KEY = "holon-reload";

/** What this page shows, and what it does when that is no longer so. */
export class ReloadingPage {
  readonly #base: string;
  /** The version that this page shows; `null` while it hasn't been told. */
  #version: string | null = null;
  /** The version for which it was loaded: shown, whatever the clocks say. */
  readonly #expected: string | null = takeVersion();
  #leaving = false;

  /** @param base the app's root, with a slash at its end */
  constructor(base: string) {
    this.#base = base;
  }

  /** The app's files are so now. */
  tell({ version, changedAt, from, styles }: AppState): void {
    if (this.#leaving || version === this.#version) return;
    const isFirst = this.#version === null;
    const isShown = isFirst &&
      (version === this.#expected || changedAt + TICK_MS <= performance.timeOrigin);
    const canSwap = !isFirst && from === this.#version && styles !== undefined;
    const reload = () => this.#reload(version);
    if (isShown || (canSwap && swapStyles(this.#base, styles, reload))) this.#version = version;
    else reload();
  }

  /** Loads the page anew once it is there: an agent may be writing it, or Holon starting again. */
  async #reload(version: string): Promise<void> {
    if (this.#leaving) return;
    this.#leaving = true;
    for (let tries = 0; !await isThere(); tries++) {
      const pause = PAUSES[Math.min(tries, PAUSES.length - 1)];
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    try {
      sessionStorage.setItem(KEY, version);
    } catch {
      // No storage here: the clocks have to do.
    }
    location.reload();
  }
}

function takeVersion(): string | null {
  try {
    const version = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return version;
  } catch {
    return null;
  }
}

async function isThere(): Promise<boolean> {
  if (!/^https?:$/.test(location.protocol)) return true;
  try {
    return (await fetch(location.href, { method: "HEAD", cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
