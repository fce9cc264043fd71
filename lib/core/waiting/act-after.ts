import { graceAfter } from './grace-after.js';

/**
 * Calls a function after a delay, or later if the process was suspended or blocked. Returns a function that cancels the
 * timer. It does not keep the process alive.
 */
export function callAfter(milliseconds: number, act: () => void): () => void {
  const due = performance.now() + milliseconds;
  let timer = setTimeout(() => {
    const graceMs = graceAfter(due);
    if (graceMs === 0) return act();
    timer = setTimeout(act, graceMs).unref();
  }, milliseconds).unref();
  return () => clearTimeout(timer);
}
