import { ConcurrencyLimitedError, type RateLimitedError } from '../../core/protocol/rate-limited.error.js';
import { callAfter } from '../../core/async/timers.js';
import { FairSlots } from '../../core/async/concurrency.js';
import type { InterruptListener } from '../context/request-parts.interface.js';
import type { RequestContext } from '../context/request-context.js';
import type { ConcurrencyOptions, ConcurrencyQueueOptions } from '../settings/handler-options.interface.js';

/** Gives a place back. */
type Release = () => void;

/** Whose turn it is, as soon as it has come. */
interface Turn {
  free?: Release;
  take?: (free: Release) => void;
}

/** Milliseconds after which the place of a handler goes to others that continues although its call is over. */
const LONGEST_END_MS = 10_000;

/** How long a call takes, as long as none has shown it. */
const USUAL_MS = 1000;

/** What a call that ends changes of the average. */
const WEIGHT = 0.2;

const SHORTEST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** The places of calls that share a limit of how many run at once. Callers take turns. */
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
   * Runs a call as soon as it has a place, which it keeps until its handler ends.
   *
   * @throws {RateLimitedError} if it finds no place, or has waited for one too long
   */
  async run<Value>(
    caller: string,
    context: Interruptible,
    act: () => Value | Promise<Value>,
  ): Promise<Value> {
    // A call that is over must not take a place from others.
    assertActive(context);
    const leave = this.#measure(await this.#enter(caller, context));
    let stopClock: (() => void) | undefined;
    let isLeft = false;
    const leaveBehind = (): void => {
      isLeft = this.#left.add(caller);
      if (isLeft) leave();
    };
    const forget = onInterruption(context, ({ result }) => {
      // If the call waits for its client, its handler goes no further.
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

  #enter(caller: string, context: Interruptible): Release | Promise<Release> {
    const turn: Turn = {};
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
    turn: Turn,
    { caller, context, leave }: { caller: string; context: Interruptible; leave: () => void },
  ): Promise<Release> {
    return new Promise((resolve, reject) => {
      const waiting: WaitingCall = { caller, reject: () => end(() => reject(this.#createRefusal(caller))) };
      const stopClock = callAfter(this.#longestWaitMs, waiting.reject);
      const forget = onInterruption(context, () => end(() => reject(new Error('The call is over'))));
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

  /** Takes note how long a place is taken. */
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

  /** Says when there may be a place, by how long calls take and how many wait. */
  #createRefusal(caller: string): RateLimitedError {
    const waits = [
      (this.#queue.size + 1) / this.#max,
      (this.#queue.count(caller) + 1) / this.#maxPerCaller,
    ].map((turns) => turns * this.#averageMs);
    const waitMs = Math.min(Math.max(SHORTEST_WAIT_MS, ...waits), LONGEST_WAIT_MS);
    const retryAfterMs = Math.ceil(waitMs / 1000) * 1000;
    const text = `Too many of these calls run at once: try again in ${retryAfterMs / 1000} s`;
    return new ConcurrencyLimitedError(text, { retryAfterMs });
  }
}

/** A call that waits for its turn. */
export interface WaitingCall {
  readonly caller: string;
  /** Refuses it to make room. */
  reject(): void;
}

/** The waiting calls, up to a bound. */
export class CallQueue {
  readonly #calls = new Map<string, Set<WaitingCall>>();
  #size = 0;

  constructor(private readonly length: number) {}

  get size(): number {
    return this.#size;
  }

  /** How many calls of a caller wait. */
  count(caller: string): number {
    return this.#calls.get(caller)?.size ?? 0;
  }

  /** Makes room for a call. In a full queue, the caller with the most calls loses one. Tells whether there is room. */
  admit(caller: string): boolean {
    if (this.#size < this.length) return true;
    const [most, calls] = this.#findMost();
    if (calls === undefined || this.count(caller) + 1 >= this.count(most)) return false;
    // Who came last has waited least.
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

/** How many there may be. */
interface AbandonedLimits {
  readonly max: number;
  readonly maxPerCaller: number;
}

/**
 * Handlers that still run long after their calls have ended, and whose places others have. Their bound is the same as for
 * running handlers. Otherwise a caller could cancel one call after another and keep any number at work.
 */
export class AbandonedHandlers {
  readonly #byCaller = new Map<string, number>();
  #size = 0;

  constructor(private readonly bounds: AbandonedLimits) {}

  /** Counts one more abandoned handler, if the bound allows it. Tells whether it does. */
  add(caller: string): boolean {
    const own = this.#byCaller.get(caller) ?? 0;
    if (own >= this.bounds.maxPerCaller || this.#size >= this.bounds.max) return false;
    this.#byCaller.set(caller, own + 1);
    this.#size += 1;
    return true;
  }

  /** Notes that one has ended. */
  remove(caller: string): void {
    const own = (this.#byCaller.get(caller) ?? 0) - 1;
    if (own > 0) this.#byCaller.set(caller, own);
    else this.#byCaller.delete(caller);
    this.#size -= 1;
  }
}

/** A request that may end before its handler does. */
type Interruptible = Pick<RequestContext, 'onInterrupt' | 'isSettled' | 'signal'>;

/** Calls a listener if a request ends before its handler. Returns a function that removes the listener. */
export function onInterruption(context: Interruptible, listener: InterruptListener): () => void {
  const before = context.onInterrupt;
  const hear: InterruptListener = (interruption) => {
    listener(interruption);
    before?.(interruption);
  };
  context.onInterrupt = hear;
  return () => {
    if (context.onInterrupt === hear) context.onInterrupt = before;
  };
}

/**
 * Refuses to go on with a request that is over: it was cancelled, or has waited for too long.
 *
 * @throws {DOMException} the reason of its signal
 */
export function assertActive({ isSettled, signal }: Interruptible): void {
  if (isSettled) signal.throwIfAborted();
}
