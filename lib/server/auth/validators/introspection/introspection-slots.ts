import { FairSlots } from '../../../../core/async/concurrency.js';
import { callAfter } from '../../../../core/async/timers.js';
import { IntrospectionOverloadError } from '../../errors.js';

/**
 * Concurrent introspections of unknown tokens. The limit keeps a flood of tokens from becoming a flood of requests.
 */
const MOST_UNKNOWN = 256;

/** Concurrent introspections of unknown tokens from one address. */
const MOST_UNKNOWN_OF_ADDRESS = MOST_UNKNOWN / 2;

/** Queued introspections of unknown tokens. */
const MOST_WAITING = 1024;

/** All concurrent introspections, including those of known tokens. */
const MOST_QUESTIONS = MOST_UNKNOWN + 128;

/** An introspection's token. */
export interface IntrospectedToken {
  /** Whether the token was active before. */
  readonly isKnown: boolean;
  /** Returns its sender's address, if known. Called only for unknown tokens. */
  readonly findAddress: () => string | undefined;
}

/** A queued introspection. */
interface QueuedIntrospection {
  refuse(): void;
}

/**
 * Limits concurrent introspections. A token that was active before never waits behind tokens that a client can
 * invent. For unknown tokens, addresses take turns and each address's introspections start in order, so every one
 * eventually starts.
 */
export class IntrospectionSlots {
  readonly #unknown = new FairSlots({ slots: MOST_UNKNOWN, perCaller: MOST_UNKNOWN_OF_ADDRESS });
  /** Keyed by address. All unknown addresses share one entry. */
  readonly #waiting = new Map<string | undefined, Set<QueuedIntrospection>>();
  #running = 0;
  #waitingCount = 0;

  readonly #patienceMs: number;

  /**
   * @param timeoutMs the time limit for one introspection. A queued one waits for as long as the ones ahead of it may
   * take
   */
  constructor(timeoutMs: number) {
    this.#patienceMs = (MOST_WAITING / MOST_UNKNOWN) * timeoutMs;
  }

  /** The number of running introspections. */
  get running(): number {
    return this.#running;
  }

  /** Whether introspections are queued. */
  get isCrowded(): boolean {
    return this.#waitingCount > 0;
  }

  /**
   * Runs an introspection as soon as a slot is free.
   *
   * @throws {IntrospectionOverloadError} if no slot is free in time, or the queue is full, as a rejection
   */
  run<Result>({ isKnown, findAddress }: IntrospectedToken, ask: () => Promise<Result>): Promise<Result> {
    if (!isKnown) return this.#queue(findAddress(), ask);
    return this.#running < MOST_QUESTIONS ? this.#ask(ask) : Promise.reject(new IntrospectionOverloadError());
  }

  #queue<Result>(address: string | undefined, ask: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      let begin: () => void = () => undefined;
      let hasBegun = false;
      const leave = this.#unknown.enter({ caller: address }, () => {
        hasBegun = true;
        begin();
        return this.#ask(ask).then(resolve, reject);
      });
      if (hasBegun) return;
      const stopClock = callAfter(this.#patienceMs, () => waiting.refuse());
      begin = () => {
        stopClock();
        this.#remove(address, waiting);
      };
      const waiting: QueuedIntrospection = {
        refuse: () => {
          begin();
          leave();
          reject(new IntrospectionOverloadError());
        },
      };
      this.#add(address, waiting);
    });
  }

  async #ask<Result>(ask: () => Promise<Result>): Promise<Result> {
    this.#running += 1;
    try {
      return await ask();
    } finally {
      this.#running -= 1;
    }
  }

  /** If the queue is full, drops the latest introspection from the address with the most in the queue. */
  #add(address: string | undefined, waiting: QueuedIntrospection): void {
    const own = this.#waiting.get(address);
    if (own === undefined) this.#waiting.set(address, new Set([waiting]));
    else own.add(waiting);
    this.#waitingCount += 1;
    if (this.#waitingCount > MOST_WAITING) [...this.#findMost()].at(-1)?.refuse();
  }

  #findMost(): ReadonlySet<QueuedIntrospection> {
    let most: ReadonlySet<QueuedIntrospection> = new Set();
    for (const own of this.#waiting.values()) if (own.size > most.size) most = own;
    return most;
  }

  #remove(address: string | undefined, waiting: QueuedIntrospection): void {
    const own = this.#waiting.get(address);
    if (own?.delete(waiting) !== true) return;
    this.#waitingCount -= 1;
    if (own.size === 0) this.#waiting.delete(address);
  }
}
