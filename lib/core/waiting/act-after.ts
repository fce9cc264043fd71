import { graceAfter } from './grace-after.js';

/**
 * Calls a function after a time, or later if the process stood still meanwhile. Returns a function that stops the clock. It does not
 * keep the process alive.
 */
export function actAfter(milliseconds: number, act: () => void): () => void {
  const due = performance.now() + milliseconds;
  let timer = setTimeout(() => {
    const graceMs = graceAfter(due);
    if (graceMs === 0) return act();
    timer = setTimeout(act, graceMs).unref();
  }, milliseconds).unref();
  return () => clearTimeout(timer);
}
