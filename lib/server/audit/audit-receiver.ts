import { isPromiseLike } from '../../core/waiting/is-promise-like.js';
import { estimateHeap } from './estimate-heap.js';
import { findOwner, type AuditOwner } from './audit-owner.js';
import type { FindHandOver, HandOver } from './hand-over.js';
import type { PauseLog } from './pause-log.js';
import { PendingShares, type PendingBounds } from './pending-shares.js';
import { HeapCost } from '../memory/heap-costs.js';

/** What receivers need of their trail. */
export interface ReceiverMeans {
  /** The limits of a receiver's pending events. */
  readonly bounds: PendingBounds;
  readonly log: PauseLog;
  readonly findHandOver: FindHandOver;
  /** Is called with unfinished work. */
  readonly watch: (work: Promise<void>) => void;
  /** Is called if a receiver misses an event. */
  readonly onDropped: () => void;
  /** Calls a function for each later receiver. Returns a function that ends this. */
  readonly onReceiver: (receiver: Pick<AuditReceiver<never>, 'hasRoom' | 'reserve'>) => () => void;
}

/** One who receives events: neither what it throws nor how long it takes is felt by anybody else. */
export class AuditReceiver<Value> {
  readonly #shares: PendingShares;

  constructor(
    private readonly receive: (value: Value) => unknown,
    private readonly means: ReceiverMeans,
  ) {
    this.#shares = new PendingShares(means.bounds);
  }

  /** Tells whether there is room for what somebody is about to do. */
  hasRoom(owner: AuditOwner): boolean {
    return this.#shares.hasRoom(owner, HeapCost.audited);
  }

  /** Reserves room for a coming operation. Returns a function that releases it. */
  reserve(owner: AuditOwner): () => void {
    return this.#shares.take(owner, HeapCost.audited);
  }

  /** Gives a value to the receiver. It never throws. */
  take(value: Value): void {
    try {
      if (this.#isFull(value)) return this.#drop();
      const taken = this.receive(value);
      if (isPromiseLike(taken)) this.#await(taken, value);
    } catch (error) {
      this.#fail('failed to take an event', error);
    }
  }

  /** Notes that the receiver fails. */
  fail(error: unknown): void {
    this.#fail('failed, and gets no more events', error);
  }

  #drop(): void {
    this.means.onDropped();
    this.#fail('is busy with so many events that further ones are dropped');
  }

  #isFull(value: Value): boolean {
    if (this.#shares.isEmpty) return false;
    const handOver = this.means.findHandOver();
    return handOver?.isAdmitted !== true && !this.#shares.hasRoom(selectOwner(handOver), estimateHeap(value));
  }

  #await(taken: PromiseLike<unknown>, value: Value): void {
    const handOver = this.means.findHandOver();
    const release = this.#shares.take(selectOwner(handOver), estimateHeap(value));
    const work = Promise.resolve(taken)
      .then(
        () => undefined,
        (error: unknown) => this.#fail('failed to take an event', error, handOver),
      )
      .finally(release);
    this.means.watch(work);
    if (handOver !== undefined) (handOver.waiting ??= []).push(work);
  }

  #fail(what: string, error?: unknown, handOver = this.means.findHandOver()): void {
    if (handOver !== undefined) handOver.hasFailed = true;
    this.means.log.error(what, `A subscriber of "McpAudit" ${what}`, error);
  }
}

/** What comes of no event counts for nobody. */
function selectOwner(handOver: HandOver | undefined): AuditOwner | undefined {
  return handOver && findOwner(handOver.facts);
}
