/**
 * Event streams that Holon's own code opens per browser profile and origin, besides the one of live
 * reload. Browsers allow six connections on HTTP/1.1; what is left loads pages and sends requests
 * (`design.md` decision 11).
 */
const SLOTS = 3;

const PRESSURE = "holon-stream-pressure";

/**
 * Waits for one of the origin's slots. Asked for by a visible page while all are taken, hidden
 * pages are told to give theirs up.
 *
 * @returns gives the slot back
 */
export async function takeSlot(signal: AbortSignal): Promise<() => void> {
  for (let slot = 0; slot < SLOTS; slot++) {
    const release = await takeNow(slot);
    if (release !== null) return release;
  }
  const pressure = new BroadcastChannel(PRESSURE);
  const press = () => {
    if (document.visibilityState === "visible") pressure.postMessage(null);
  };
  document.addEventListener("visibilitychange", press);
  press();
  try {
    return await takeFirst(signal);
  } finally {
    document.removeEventListener("visibilitychange", press);
    pressure.close();
  }
}

/** Calls back when a visible page needs a slot and this page is hidden; returns what stops that. */
export function onPressure(callback: () => void): () => void {
  const pressure = new BroadcastChannel(PRESSURE);
  pressure.onmessage = () => {
    if (document.visibilityState === "hidden") callback();
  };
  return () => pressure.close();
}

/** Takes a slot if it is free. */
function takeNow(slot: number): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    navigator.locks.request(nameOf(slot), { ifAvailable: true }, (lock) => {
      if (lock === null) return resolve(null);
      return new Promise<void>((release) => resolve(release));
    }).catch(reject);
  });
}

/** Queues for all slots and keeps the first. */
function takeFirst(signal: AbortSignal): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const rest = new AbortController();
    const both = AbortSignal.any([signal, rest.signal]);
    let taken = false;
    for (let slot = 0; slot < SLOTS; slot++) {
      navigator.locks.request(nameOf(slot), { signal: both }, () => {
        if (taken) return;
        taken = true;
        return new Promise<void>((release) => {
          resolve(release);
          // Only those that still wait are called off: this one is held already.
          rest.abort();
        });
      }).catch((error: unknown) => taken || reject(error));
    }
  });
}

function nameOf(slot: number): string {
  return `holon-stream-${slot}`;
}
