/**
 * Calls a function after a delay, or later if the process was suspended or blocked. Returns a function that cancels
 * the timer. The timer does not keep the process alive.
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

/** The largest power of two that Node's timers accept. */
const LONGEST_STEP_MS = 2 ** 30;

/**
 * Calls a function at a given time, in milliseconds since 1970, and returns a function that cancels the timer. It
 * does not keep the process alive.
 *
 * Node has a list for each timer duration. If its timers do not keep the process alive, the list is retained until
 * the duration has passed, even if all its timers were cancelled long before, so a timer for the rest of an hour
 * costs memory for an hour. Waiting in steps that are powers of two shares a few lists.
 */
export function callAt(time: number, act: () => void): () => void {
  let timer = setTimeout(check, findStep(time)).unref();
  return () => clearTimeout(timer);

  function check(): void {
    if (Date.now() >= time) return act();
    timer = setTimeout(check, findStep(time)).unref();
  }
}

/** The longest step that does not exceed the time. */
function findStep(time: number): number {
  const leftMs = Math.min(Math.max(time - Date.now(), 1), LONGEST_STEP_MS);
  return 2 ** Math.floor(Math.log2(leftMs));
}

/** A timer that is later than this shows that the process was suspended or blocked. */
const LATE_MS = 50;

/** The maximum grace period, however long the process was suspended. */
const LONGEST_GRACE_MS = 1000;

/**
 * Computes how many more milliseconds to wait after a late timer; 0 if it was on time.
 *
 * Node runs due timers before it reads what has arrived. A late timer means that the process could not read anything
 * in the meantime, so the awaited event is given the same amount of time again.
 *
 * @param due the `performance.now()` when the timer was due
 */
export function graceAfter(due: number): number {
  const lateMs = performance.now() - due;
  return lateMs < LATE_MS ? 0 : Math.min(lateMs, LONGEST_GRACE_MS);
}

/**
 * Returns a function that runs an action once at the end of the current tick, however often it is called before that.
 *
 * @example
 * const announce = onceATurn(() => notifier.toolsListChanged());
 * catalog.changes$.subscribe(announce); // many synchronous changes cause one notification
 */
export function oncePerTick(act: () => void): () => void {
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

/** The maximum extension of a wait, as a fraction. */
const JITTER = 0.5;

/**
 * Extends a wait randomly by up to half, so that clients that receive it at the same time do not reconnect at the
 * same time.
 */
export function addJitter(wait: number): number {
  return Math.round(wait * (1 + JITTER * Math.random()));
}
