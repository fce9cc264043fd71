import type { Attributes, BatchObservableResult, Observable } from '@opentelemetry/api';
import type { GuardedMeter } from '../../core/telemetry/guarded-meter.js';
import { Own } from './own-instruments.js';

/** What can be counted whenever metrics are collected. */
export interface Observed {
  readonly sessions: () => number;
  readonly streams: () => number;
  readonly queuedBytes: () => number;
  /** Returns the number of open tasks by status; absent without tasks. */
  readonly tasks?: () => Promise<ReadonlyMap<string, number>>;
}

/** Counts what there is when metrics are collected, and at no other time. */
export class Gauges {
  readonly #sessions: Observable;
  readonly #streams: Observable;
  readonly #queuedBytes: Observable;
  readonly #tasks: Observable;

  constructor(
    private readonly meter: GuardedMeter,
    private readonly observed: Observed,
    private readonly attributes: Attributes,
  ) {
    this.#sessions = this.#create(Own.sessions, '{session}', 'Sessions that are open.');
    this.#streams = this.#create(Own.streams, '{stream}', 'Event streams over HTTP that are open.');
    this.#queuedBytes = this.#create(Own.queuedBytes, 'By', 'Bytes that wait for the readers of streams.');
    this.#tasks = this.#create(Own.tasks, '{task}', 'Tasks of this process that are not over.');
    meter.addBatchObservableCallback(this.#observe, this.#all);
  }

  /** Counts no more. */
  stop(): void {
    this.meter.removeBatchObservableCallback(this.#observe, this.#all);
  }

  get #all(): Observable[] {
    return [this.#sessions, this.#streams, this.#queuedBytes, this.#tasks];
  }

  readonly #observe = async (result: BatchObservableResult): Promise<void> => {
    const { observed, attributes } = this;
    result.observe(this.#sessions, observed.sessions(), attributes);
    result.observe(this.#streams, observed.streams(), attributes);
    result.observe(this.#queuedBytes, observed.queuedBytes(), attributes);
    for (const [status, count] of (await observed.tasks?.()) ?? []) {
      result.observe(this.#tasks, count, { ...attributes, [Own.taskStatus]: status });
    }
  };

  #create(name: string, unit: string, description: string): Observable {
    return this.meter.createObservable('UpDownCounter', name, { unit, description });
  }
}
