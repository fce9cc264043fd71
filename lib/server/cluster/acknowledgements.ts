import { settleWithin } from '../../core/async/timeouts.js';
import { type ClusterBus, type ClusterTimeouts, Query } from './cluster-bus.js';
import { isUpTo } from './position.js';
import type { Publisher } from './publisher.js';
import { Signal } from './topic-subscribers.js';
import type { ClusterPosition } from '../settings/cluster/cluster.interface.js';

const ACKNOWLEDGE = new Query<ClusterPosition, boolean>('cluster.heard');

/** The position of a process that has not joined yet. */
const NO_POSITION: ClusterPosition = { epoch: '', number: 0 };

/** The dependencies of acknowledgements. */
export interface AcknowledgementParts {
  readonly bus: Pick<ClusterBus, 'respond' | 'requestAll' | 'position'>;
  readonly publisher: Pick<Publisher, 'whenAppended' | 'newest'>;
  readonly waits: Pick<ClusterTimeouts, 'acknowledgedMs'>;
}

/** Waits until all processes have read this one's entries from the log. */
export class Acknowledgements {
  readonly #taken = new Signal();
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(private readonly parts: AcknowledgementParts) {
    parts.bus.respond(ACKNOWLEDGE, (position) => this.#reach(position));
  }

  /** Records that this process has processed an entry. */
  noteTaken(): void {
    this.#taken.emit();
  }

  /** Asks all processes. Concurrent callers share the next request, so together they cost only one. */
  request(): Promise<void> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      this.#running = this.#ask();
      return this.#running;
    });
    return this.#next;
  }

  /** Limits how long callers wait for slow processes and a slow backend. */
  async #ask(): Promise<void> {
    await settleWithin(this.#requestAll(), this.parts.waits.acknowledgedMs);
  }

  async #requestAll(): Promise<void> {
    const { bus, publisher } = this.parts;
    await publisher.whenAppended();
    const { newest } = publisher;
    if (newest !== undefined) await bus.requestAll(ACKNOWLEDGE, newest).catch(() => undefined);
  }

  /** Waits until this process has processed the entry at a position, or until the requesting process has stopped waiting. */
  async #reach(target: ClusterPosition): Promise<boolean> {
    const hasProcessed = () => isUpTo(target, this.parts.bus.position ?? NO_POSITION);
    if (hasProcessed()) return true;
    let stop = (): void => undefined;
    const taken = new Promise<void>((resolve) => {
      stop = this.#taken.add(() => void (hasProcessed() && resolve()));
    });
    return settleWithin(taken, this.parts.waits.acknowledgedMs).finally(stop);
  }
}
