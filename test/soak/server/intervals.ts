/**
 * Counts the intervals that run: the ones that are let go of their process do not show among its active resources, and
 * would all the same be left behind. It has to be imported before what it shall count.
 */
const running = new Set<unknown>();
const { setInterval: start, clearInterval: stop } = globalThis;

globalThis.setInterval = (...parameters: Parameters<typeof start>) => {
  const interval = start(...parameters);
  running.add(interval);
  return interval;
};

globalThis.clearInterval = (interval: Parameters<typeof stop>[0]) => {
  running.delete(interval);
  stop(interval);
};

export function countIntervals(): number {
  return running.size;
}
