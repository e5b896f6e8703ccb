/**
 * Calls `sleep` when the page is frozen or put into the back-forward cache, `wake` when it is back:
 * a stream that is held meanwhile would keep the page out of the cache, or be dead afterwards.
 *
 * @returns stops both
 */
export function onPageSleep(sleep: () => void, wake: () => void): () => void {
  const { document } = globalThis;
  if (document === undefined) return () => {};
  const hide = (event: PageTransitionEvent) => event.persisted && sleep();
  const show = (event: PageTransitionEvent) => event.persisted && wake();
  addEventListener("pagehide", hide);
  addEventListener("pageshow", show);
  document.addEventListener("freeze", sleep);
  document.addEventListener("resume", wake);
  return () => {
    removeEventListener("pagehide", hide);
    removeEventListener("pageshow", show);
    document.removeEventListener("freeze", sleep);
    document.removeEventListener("resume", wake);
  };
}
