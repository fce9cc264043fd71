/**
 * Returns a function that does something at the end of the current turn, once, however often it is called before.
 *
 * @example
 * const announce = onceATurn(() => notifier.toolsListChanged());
 * catalog.changes$.subscribe(announce); // many changes in one go are announced together
 */
export function onceATurn(act: () => void): () => void {
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
