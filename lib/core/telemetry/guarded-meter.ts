import type {
  BatchObservableCallback,
  Counter,
  Histogram,
  Meter,
  MetricOptions,
  Observable,
} from '@opentelemetry/api';
import type { Observers } from '../log/observers.js';
import { readOwnPackage } from '../package/own-package.js';
import type { MeterProvider } from './telemetry-options.js';

const METER = 'A meter';

/** Replaces an instrument that could not be created. */
const NO_OBSERVABLE: Observable = { addCallback: () => undefined, removeCallback: () => undefined };

/** Creates instruments with the application's meter provider. Its failures are only logged. */
export class GuardedMeter {
  readonly #meter: Meter | undefined;
  readonly #callbacks = new Map<BatchObservableCallback, BatchObservableCallback>();

  constructor(
    provider: MeterProvider,
    private readonly observers: Observers,
  ) {
    const { name, version } = readOwnPackage();
    this.#meter = this.#run(() => {
      const meter = provider.getMeter(name, version) as Partial<Meter> | undefined;
      if (typeof meter?.createHistogram !== 'function') throw new TypeError('"getMeter()" returned no meter');
      return meter as Meter;
    });
  }

  createHistogram(name: string, options: MetricOptions): Pick<Histogram, 'record'> {
    const histogram = this.#run(() => this.#meter?.createHistogram(name, options));
    return {
      record: (value, attributes, context) => {
        this.#run(() => histogram?.record(value, attributes, context));
      },
    };
  }

  createCounter(name: string, options: MetricOptions): Pick<Counter, 'add'> {
    const counter = this.#run(() => this.#meter?.createCounter(name, options));
    return {
      add: (value, attributes) => {
        this.#run(() => counter?.add(value, attributes));
      },
    };
  }

  /** Creates an instrument that is read when metrics are collected. */
  createObservable(
    kind: 'Counter' | 'Gauge' | 'UpDownCounter',
    name: string,
    options: MetricOptions,
  ): Observable {
    return this.#run(() => this.#meter?.[`createObservable${kind}`](name, options)) ?? NO_OBSERVABLE;
  }

  addBatchObservableCallback(callback: BatchObservableCallback, observables: Observable[]): void {
    const guarded: BatchObservableCallback = async (result) => {
      try {
        await callback(result);
      } catch (error) {
        this.observers.report(METER, error);
      }
    };
    this.#callbacks.set(callback, guarded);
    this.#run(() => this.#meter?.addBatchObservableCallback(guarded, listCreated(observables)));
  }

  removeBatchObservableCallback(callback: BatchObservableCallback, observables: Observable[]): void {
    const guarded = this.#callbacks.get(callback);
    if (guarded === undefined) return;
    this.#callbacks.delete(callback);
    this.#run(() => this.#meter?.removeBatchObservableCallback(guarded, listCreated(observables)));
  }

  #run<Result>(act: () => Result): Result | undefined {
    return this.observers.run(METER, act);
  }
}

function listCreated(observables: readonly Observable[]): Observable[] {
  return observables.filter((observable) => observable !== NO_OBSERVABLE);
}

/** Records one instrument's values. */
export type Recorder = Pick<Histogram, 'record'>;

/** The side that records. */
export type Side = 'client' | 'server';

/**
 * The boundaries of all durations, in seconds.
 *
 * @see OpenTelemetry semantic conventions for the Model Context Protocol, "Metrics"
 */
export const DURATION_BOUNDARIES: readonly number[] = [
  0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
];

const OPERATIONS = {
  client:
    'The duration of the MCP request or notification as observed on the sender from the time it was sent until the response or ack is received.',
  server:
    'MCP request or notification duration as observed on the receiver from the time it was received until the result or ack is sent.',
} as const;

/** Creates a histogram of seconds. */
export function createDurations(meter: GuardedMeter, name: string, description: string): Recorder {
  const advice = { explicitBucketBoundaries: [...DURATION_BOUNDARIES] };
  return meter.createHistogram(name, { unit: 's', description, advice });
}

export function createOperationDurations(meter: GuardedMeter, side: Side): Recorder {
  return createDurations(meter, `mcp.${side}.operation.duration`, OPERATIONS[side]);
}

export function createSessionDurations(meter: GuardedMeter, side: Side): Recorder {
  const description = `The duration of the MCP session as observed on the MCP ${side}.`;
  return createDurations(meter, `mcp.${side}.session.duration`, description);
}
