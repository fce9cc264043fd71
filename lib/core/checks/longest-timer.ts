/** The longest delay that Node's timers accept. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
