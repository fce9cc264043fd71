import { ConcurrencyLimitedError, type RateLimitedError } from '../../core/protocol/rate-limited.error.js';
import { callAfter } from '../../core/async/timers.js';
import { FairSlots } from '../../core/async/concurrency.js';
import type { InterruptListener } from '../context/request-parts.interface.js';
import type { RequestContext } from '../context/request-context.js';
import type { ConcurrencyOptions, ConcurrencyQueueOptions } from '../settings/handler-options.interface.js';

/** Releases a slot. */
type Release = () => void;

/** A call's position in the queue for a slot. */
interface QueuedCall {
  free?: Release;
  take?: (free: Release) => void;
}

/** Milliseconds after a call ends until its handler, if still running, gives up its slot. */
const LONGEST_END_MS = 10_000;

/** The assumed duration of a call until one has finished. */
const USUAL_MS = 1000;

/** The latest call's weight in the average duration. */
const WEIGHT = 0.2;

const SHORTEST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** Slots for calls that share a concurrency limit. Callers take turns. */
export class ConcurrencySlots {
  readonly #max: number;
  readonly #maxPerCaller: number;
  readonly #queue: CallQueue;
  readonly #longestWaitMs: number;
  readonly #slots: FairSlots;
  readonly #left: AbandonedHandlers;
  #averageMs = USUAL_MS;

  constructor({ max = Infinity, maxPerCaller = max, queue = 0 }: ConcurrencyOptions) {
    const { length = 100, timeoutMs = 10_000 }: ConcurrencyQueueOptions =
      typeof queue === 'number' ? { length: queue } : queue;
    this.#max = max;
    this.#maxPerCaller = Math.min(maxPerCaller, max);
    this.#queue = new CallQueue(length);
    this.#longestWaitMs = timeoutMs;
    this.#slots = new FairSlots({ slots: max, perCaller: this.#maxPerCaller });
    this.#left = new AbandonedHandlers({ max, maxPerCaller: this.#maxPerCaller });
  }

  /**
   * Runs a call as soon as a slot is free. The call holds the slot until its handler ends.
   *
   * @throws {RateLimitedError} if the queue is full, or no slot became free in time
   */
  async run<Value>(
    caller: string,
    context: InterruptibleContext,
    act: () => Value | Promise<Value>,
  ): Promise<Value> {
    // A call that has ended must not take a slot from others.
    assertActive(context);
    const leave = this.#measure(await this.#enter(caller, context));
    let stopClock: (() => void) | undefined;
    let isLeft = false;
    const leaveBehind = (): void => {
      isLeft = this.#left.add(caller);
      if (isLeft) leave();
    };
    const forget = onInterruption(context, ({ result }) => {
      // If there is a result, the call is waiting for client input and its handler stops running.
      if (result !== undefined) leave();
      else stopClock = callAfter(LONGEST_END_MS, leaveBehind);
    });
    try {
      assertActive(context);
      return await act();
    } finally {
      forget();
      stopClock?.();
      leave();
      if (isLeft) this.#left.remove(caller);
    }
  }

  #enter(caller: string, context: InterruptibleContext): Release | Promise<Release> {
    const turn: QueuedCall = {};
    const leave = this.#slots.enter({ caller }, () => {
      return new Promise<void>((free) => {
        turn.free = free;
        turn.take?.(free);
      });
    });
    if (turn.free !== undefined) return turn.free;
    if (this.#queue.admit(caller)) return this.#wait(turn, { caller, context, leave });
    leave();
    throw this.#createRefusal(caller);
  }

  #wait(
    turn: QueuedCall,
    { caller, context, leave }: { caller: string; context: InterruptibleContext; leave: () => void },
  ): Promise<Release> {
    return new Promise((resolve, reject) => {
      const waiting: WaitingCall = { caller, reject: () => end(() => reject(this.#createRefusal(caller))) };
      const stopClock = callAfter(this.#longestWaitMs, waiting.reject);
      const forget = onInterruption(context, () =>
        end(() => reject(new Error('The call ended while it was queued'))),
      );
      const end = (settle: () => void): void => {
        stopClock();
        forget();
        leave();
        this.#queue.remove(waiting);
        settle();
      };
      turn.take = (free) => end(() => resolve(free));
      this.#queue.add(waiting);
    });
  }

  /** Measures how long a slot is held. */
  #measure(free: Release): Release {
    const takenAt = performance.now();
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#averageMs += WEIGHT * (performance.now() - takenAt - this.#averageMs);
      free();
    };
  }

  /** Estimates when a slot becomes free, from the average duration and the length of the queue. */
  #createRefusal(caller: string): RateLimitedError {
    const waits = [
      (this.#queue.size + 1) / this.#max,
      (this.#queue.count(caller) + 1) / this.#maxPerCaller,
    ].map((turns) => turns * this.#averageMs);
    const waitMs = Math.min(Math.max(SHORTEST_WAIT_MS, ...waits), LONGEST_WAIT_MS);
    const retryAfterMs = Math.ceil(waitMs / 1000) * 1000;
    const text = `Too many concurrent calls: try again in ${retryAfterMs / 1000} s`;
    return new ConcurrencyLimitedError(text, { retryAfterMs });
  }
}

/** A queued call. */
export interface WaitingCall {
  readonly caller: string;
  /** Rejects the call so that another one can wait. */
  reject(): void;
}

/** The queued calls, up to a limit. */
export class CallQueue {
  readonly #calls = new Map<string, Set<WaitingCall>>();
  #size = 0;

  constructor(private readonly length: number) {}

  get size(): number {
    return this.#size;
  }

  /** Returns a caller's number of queued calls. */
  count(caller: string): number {
    return this.#calls.get(caller)?.size ?? 0;
  }

  /** Returns whether a call may wait. If the queue is full, the caller with the most queued calls loses one. */
  admit(caller: string): boolean {
    if (this.#size < this.length) return true;
    const [most, calls] = this.#findMost();
    if (calls === undefined || this.count(caller) + 1 >= this.count(most)) return false;
    // The latest call has waited least.
    [...calls].at(-1)?.reject();
    return true;
  }

  add(call: WaitingCall): void {
    const own = this.#calls.get(call.caller);
    if (own === undefined) this.#calls.set(call.caller, new Set([call]));
    else own.add(call);
    this.#size += 1;
  }

  remove(call: WaitingCall): void {
    const own = this.#calls.get(call.caller);
    if (own?.delete(call) !== true) return;
    this.#size -= 1;
    if (own.size === 0) this.#calls.delete(call.caller);
  }

  #findMost(): readonly [caller: string, calls: ReadonlySet<WaitingCall> | undefined] {
    let most: readonly [string, ReadonlySet<WaitingCall> | undefined] = ['', undefined];
    for (const entry of this.#calls) if (entry[1].size > (most[1]?.size ?? 0)) most = entry;
    return most;
  }
}

/** The limits on abandoned handlers. */
interface AbandonedLimits {
  readonly max: number;
  readonly maxPerCaller: number;
}

/**
 * Handlers that are still running long after their calls have ended, and whose slots other calls now hold. They have
 * the same limits as running handlers. Otherwise, a caller could keep canceling calls to run any number of handlers.
 */
export class AbandonedHandlers {
  readonly #byCaller = new Map<string, number>();
  #size = 0;

  constructor(private readonly limits: AbandonedLimits) {}

  /** Counts one more abandoned handler. Returns whether the limits allow it. */
  add(caller: string): boolean {
    const own = this.#byCaller.get(caller) ?? 0;
    if (own >= this.limits.maxPerCaller || this.#size >= this.limits.max) return false;
    this.#byCaller.set(caller, own + 1);
    this.#size += 1;
    return true;
  }

  /** Stops counting an abandoned handler that has ended. */
  remove(caller: string): void {
    const own = (this.#byCaller.get(caller) ?? 0) - 1;
    if (own > 0) this.#byCaller.set(caller, own);
    else this.#byCaller.delete(caller);
    this.#size -= 1;
  }
}

/** A request that may end before its handler does. */
type InterruptibleContext = Pick<RequestContext, 'onInterrupt' | 'isSettled' | 'signal'>;

/** Calls a listener if a request ends before its handler. Returns a function that removes the listener. */
export function onInterruption(context: InterruptibleContext, listener: InterruptListener): () => void {
  const before = context.onInterrupt;
  const listen: InterruptListener = (interruption) => {
    listener(interruption);
    before?.(interruption);
  };
  context.onInterrupt = listen;
  return () => {
    if (context.onInterrupt === listen) context.onInterrupt = before;
  };
}

/**
 * Stops processing a request that was cancelled or timed out.
 *
 * @throws {DOMException} the signal's reason
 */
export function assertActive({ isSettled, signal }: InterruptibleContext): void {
  if (isSettled) signal.throwIfAborted();
}
