import type { Attributes, BatchObservableResult, Observable } from '@opentelemetry/api';
import type { GuardedMeter } from '../../core/telemetry/guarded-meter.js';
import type { RelayFigures } from '../settings/cluster/cluster.interface.js';
import { Own } from './own-instruments.js';

/** An instrument, and what of the figures it shows. */
interface Shown {
  readonly instrument: Observable;
  readonly read: (figures: RelayFigures) => number | undefined;
}

/** Shows metrics how processes share a server, when they are collected and at no other time. */
export class RelayGauges {
  readonly #shown: readonly Shown[];

  constructor(
    private readonly meter: GuardedMeter,
    private readonly readFigures: () => RelayFigures | undefined,
    private readonly attributes: Attributes,
  ) {
    this.#shown = createInstruments(meter);
    meter.addBatchObservableCallback(this.#observe, this.#all);
  }

  /** Shows no more. */
  stop(): void {
    this.meter.removeBatchObservableCallback(this.#observe, this.#all);
  }

  get #all(): Observable[] {
    return this.#shown.map(({ instrument }) => instrument);
  }

  readonly #observe = (result: BatchObservableResult): void => {
    const figures = this.readFigures();
    if (figures === undefined) return;
    for (const { instrument, read } of this.#shown) {
      const value = read(figures);
      if (value !== undefined) result.observe(instrument, value, this.attributes);
    }
  };
}

function createInstruments(meter: GuardedMeter): readonly Shown[] {
  const count = (name: string, unit: string, description: string): Observable =>
    meter.createObservable('Counter', name, { unit, description });
  const level = (name: string, unit: string, description: string): Observable =>
    meter.createObservable('UpDownCounter', name, { unit, description });
  return [
    {
      instrument: meter.createObservable('Gauge', Own.relayLag, {
        unit: 's',
        description: 'How long the newest entry took from the process that wrote it to this one.',
      }),
      read: ({ lagMs }) => lagMs && lagMs / 1000,
    },
    {
      instrument: level(Own.relayConnected, '{process}', 'Processes that reach the others.'),
      read: ({ isConnected }) => Number(isConnected),
    },
    {
      instrument: count(Own.relayReconnections, '{reconnection}', 'How often the connection was restored.'),
      read: ({ reconnections }) => reconnections,
    },
    {
      instrument: level(Own.relayWaiting, '{message}', 'Messages that wait to be published.'),
      read: ({ waiting }) => waiting,
    },
    {
      instrument: count(Own.relayDropped, '{message}', 'Messages that never reached the others.'),
      read: ({ dropped }) => dropped,
    },
    {
      instrument: count(Own.relayReplayed, '{message}', 'Messages that were read again.'),
      read: ({ replayed }) => replayed,
    },
    {
      instrument: count(Own.relayUnreadable, '{message}', 'Messages that were encrypted by another secret.'),
      read: ({ unreadable }) => unreadable,
    },
    {
      instrument: count(Own.relayGaps, '{gap}', 'How often messages were gone before they could be read.'),
      read: ({ gaps }) => gaps,
    },
  ];
}
