import { jest } from '@jest/globals';

/** What goes on as before: connections, timers and what measures durations. */
const REAL = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

/** Sets the date of this process ahead, until `jest.useRealTimers()` is called. */
export function moveDate(seconds: number): void {
  jest.useFakeTimers({ now: Date.now() + seconds * 1000, doNotFake: [...REAL] });
}
