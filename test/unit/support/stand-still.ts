/** Blocks the event loop, as a handler does that computes. */
export function standStill(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
