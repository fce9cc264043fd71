/** Timers of Node take no more milliseconds. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
