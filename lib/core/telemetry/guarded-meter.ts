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
import type { MeterProvider } from './providers.interface.js';

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
