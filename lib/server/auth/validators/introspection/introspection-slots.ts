import { FairSlots } from '../../../../core/async/concurrency.js';
import { callAfter } from '../../../../core/async/timers.js';
import { IntrospectionOverloadError } from '../../errors.js';

/** Questions under way about tokens that nobody knows: a flood of them must not become one of requests. */
const MOST_UNKNOWN = 256;

/** Those about such tokens from one address. */
const MOST_UNKNOWN_OF_ADDRESS = MOST_UNKNOWN / 2;

/** Questions about such tokens that wait for others. */
const MOST_WAITING = 1024;

/** All questions under way when one about a token begins that was active before. */
const MOST_QUESTIONS = MOST_UNKNOWN + 128;

/** What a question is about. */
export interface IntrospectedToken {
  /** Whether the token was active before. */
  readonly isKnown: boolean;
  /** Where it came from, if that is known; it is asked for only if the token is not. */
  readonly findAddress: () => string | undefined;
}

/** A question that has not begun. */
interface WaitingQuestion {
  refuse(): void;
}

/**
 * Shares out the questions under way. A token that was active before never waits behind tokens that anybody can invent. Of
 * those, addresses take turns, and the questions of one address begin in their order. So each of them begins, however many
 * come and however fast the machine is.
 */
export class IntrospectionSlots {
  readonly #unknown = new FairSlots({ slots: MOST_UNKNOWN, perCaller: MOST_UNKNOWN_OF_ADDRESS });
  /** By address. All questions from unknown addresses are together. */
  readonly #waiting = new Map<string | undefined, Set<WaitingQuestion>>();
  #running = 0;
  #waitingCount = 0;

  readonly #patienceMs: number;

  /** @param timeoutMs how long one question takes at most; each waits as long as those before it may take */
  constructor(timeoutMs: number) {
    this.#patienceMs = (MOST_WAITING / MOST_UNKNOWN) * timeoutMs;
  }

  /** Questions under way. */
  get running(): number {
    return this.#running;
  }

  /** Whether questions wait for others. */
  get isCrowded(): boolean {
    return this.#waitingCount > 0;
  }

  /**
   * Asks a question, as soon as there is a slot for it.
   *
   * @throws {IntrospectionOverloadError} if there is none in time, or too many wait already; as a rejection
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
      const waiting: WaitingQuestion = {
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

  /** If too many wait, the address from which most came loses its latest. */
  #add(address: string | undefined, waiting: WaitingQuestion): void {
    const own = this.#waiting.get(address);
    if (own === undefined) this.#waiting.set(address, new Set([waiting]));
    else own.add(waiting);
    this.#waitingCount += 1;
    if (this.#waitingCount > MOST_WAITING) [...this.#findMost()].at(-1)?.refuse();
  }

  #findMost(): ReadonlySet<WaitingQuestion> {
    let most: ReadonlySet<WaitingQuestion> = new Set();
    for (const own of this.#waiting.values()) if (own.size > most.size) most = own;
    return most;
  }

  #remove(address: string | undefined, waiting: WaitingQuestion): void {
    const own = this.#waiting.get(address);
    if (own?.delete(waiting) !== true) return;
    this.#waitingCount -= 1;
    if (own.size === 0) this.#waiting.delete(address);
  }
}
