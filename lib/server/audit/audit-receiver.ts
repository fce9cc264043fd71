import type { PauseLog } from './pause-log.js';

/** What is done with one event, while it is handed over. */
export interface HandOver {
  /** Whether somebody failed to take it. */
  hasFailed: boolean;
  /** Is done when whoever takes its time has taken it. They never reject. */
  waiting: Promise<void>[] | undefined;
}

/** Finds the hand-over that is going on, if whoever receives is called within one. */
export type FindHandOver = () => HandOver | undefined;

/** What receivers need of their trail. */
export interface ReceiverMeans {
  /** Events that a receiver may be busy with. */
  readonly maximumPending: number;
  readonly log: PauseLog;
  readonly findHandOver: FindHandOver;
  /** Hears of what is not done yet. */
  readonly watch: (work: Promise<void>) => void;
}

/** One who receives events: neither what it throws nor how long it takes is felt by anybody else. */
export class AuditReceiver<Value> {
  #pending = 0;

  constructor(
    private readonly receive: (value: Value) => unknown,
    private readonly means: ReceiverMeans,
  ) {}

  /** Gives a value to the receiver. It never throws. */
  take(value: Value): void {
    if (this.#pending >= this.means.maximumPending) {
      return this.#fail('is busy with so many events that further ones are dropped');
    }
    try {
      const taken = this.receive(value);
      if (isPromiseLike(taken)) this.#await(taken);
    } catch (error) {
      this.#fail('failed to take an event', error);
    }
  }

  /** Notes that the receiver fails. */
  fail(error: unknown): void {
    this.#fail('failed, and hears of nothing more', error);
  }

  #await(taken: PromiseLike<unknown>): void {
    const handOver = this.means.findHandOver();
    this.#pending += 1;
    const work = Promise.resolve(taken)
      .then(
        () => undefined,
        (error: unknown) => this.#fail('failed to take an event', error, handOver),
      )
      .finally(() => (this.#pending -= 1));
    this.means.watch(work);
    if (handOver !== undefined) (handOver.waiting ??= []).push(work);
  }

  #fail(what: string, error?: unknown, handOver = this.means.findHandOver()): void {
    if (handOver !== undefined) handOver.hasFailed = true;
    this.means.log.error(what, `A subscriber of "McpAudit" ${what}`, error);
  }
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
