import { performance as machineClock } from 'node:perf_hooks';
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

function readMachineClock(): number {
  return Reflect.apply(Object.getPrototypeOf(machineClock).now, machineClock, []);
}

/** Stops both clocks, of the day and of the machine, until `jest.useRealTimers()`; timers and sockets are real. */
export function stopClocks(): void {
  jest.useFakeTimers({ doNotFake: [...REAL] });
  // Who imports the clock of the machine, in place of taking the global one, has it stopped too.
  jest
    .spyOn(machineClock, 'now')
    .mockImplementation(() => (performance === machineClock ? readMachineClock() : performance.now()));
}

/** Lets time pass on both clocks. */
export function passTime(ms: number): void {
  jest.advanceTimersByTime(ms);
}

/** Sets the clock of the day, as an administrator would: no time passes. */
export function correctClock(ms: number): void {
  jest.setSystemTime(Date.now() + ms);
}
