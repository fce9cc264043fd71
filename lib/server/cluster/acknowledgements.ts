import { settleWithin } from '../../core/async/timeouts.js';
import { type ClusterBus, type ClusterTimeouts, Query } from './cluster-bus.js';
import { isUpTo } from './position.js';
import type { Publisher } from './publisher.js';
import { Signal } from './topic-subscribers.js';
import type { ClusterPosition } from '../settings/cluster/cluster.interface.js';

const HEARD = new Query<ClusterPosition, boolean>('cluster.heard');

/** Where a process stands that has not joined yet. */
const NOWHERE: ClusterPosition = { epoch: '', number: 0 };

/** The parts of a hearing. */
export interface AcknowledgementParts {
  readonly bus: Pick<ClusterBus, 'respond' | 'requestAll' | 'position'>;
  readonly publisher: Pick<Publisher, 'whenAppended' | 'newest'>;
  readonly waits: Pick<ClusterTimeouts, 'heardMs'>;
}

/** Waits until every process has taken from the log what this one published. */
export class Acknowledgements {
  readonly #taken = new Signal();
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(private readonly parts: AcknowledgementParts) {
    parts.bus.respond(HEARD, (place) => this.#reach(place));
  }

  /** Notes that this process has taken an entry. */
  noteTaken(): void {
    this.#taken.emit();
  }

  /** Asks every process. Callers that come while it asks share the next turn, so that many of them cost one question. */
  request(): Promise<void> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      this.#running = this.#ask();
      return this.#running;
    });
    return this.#next;
  }

  /** Callers wait no longer for a slow process, nor for a slow engine. */
  async #ask(): Promise<void> {
    await settleWithin(this.#requestAll(), this.parts.waits.heardMs);
  }

  async #requestAll(): Promise<void> {
    const { bus, publisher } = this.parts;
    await publisher.whenAppended();
    const { newest } = publisher;
    if (newest !== undefined) await bus.requestAll(HEARD, newest).catch(() => undefined);
  }

  /** Waits until this process has taken the entry at a place. Nobody asks any more after that time. */
  async #reach(place: ClusterPosition): Promise<boolean> {
    const hasTaken = () => isUpTo(place, this.parts.bus.position ?? NOWHERE);
    if (hasTaken()) return true;
    let stop = (): void => undefined;
    const taken = new Promise<void>((resolve) => {
      stop = this.#taken.add(() => void (hasTaken() && resolve()));
    });
    return settleWithin(taken, this.parts.waits.heardMs).finally(stop);
  }
}
