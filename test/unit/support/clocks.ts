import { performance as imported } from 'node:perf_hooks';
import { jest } from '@jest/globals';

/** What goes on as it does: sockets, and whoever waits for them. */
const REAL = [
  'hrtime',
  'nextTick',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

const { now } = imported;
const readMachine = now.bind(imported);

/** Stops both clocks, of the day and of the machine, until `jest.useRealTimers()`; timers and sockets are real. */
export function stopClocks(): void {
  jest.useFakeTimers({ doNotFake: [...REAL] });
  // Jest's own runtime, which the mutation check keeps, replaces the global alone.
  if (imported.now === now)
    jest
      .spyOn(imported, 'now')
      .mockImplementation(() => (performance === imported ? readMachine() : performance.now()));
}

/** Lets time pass on both clocks. */
export function passTime(ms: number): void {
  jest.advanceTimersByTime(ms);
}

/** Sets the clock of the day, as an administrator would: no time passes. */
export function correctClock(ms: number): void {
  jest.setSystemTime(Date.now() + ms);
}
