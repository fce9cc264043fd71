/**
 * Returns a function that does something at the end of the current tick, once, however often it is called before.
 *
 * @example
 * const announce = onceATurn(() => notifier.toolsListChanged());
 * catalog.changes$.subscribe(announce); // many synchronous changes cause one notification
 */
export function oncePerTick(act: () => void): () => void {
  let isPending = false;
  return () => {
    if (isPending) return;
    isPending = true;
    queueMicrotask(() => {
      isPending = false;
      act();
    });
  };
}
