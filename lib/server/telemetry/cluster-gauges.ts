import type { Attributes, BatchObservableResult, Observable } from '@opentelemetry/api';
import type { GuardedMeter } from '../../core/telemetry/guarded-meter.js';
import type { ClusterStats } from '../settings/cluster/cluster.interface.js';
import { Own } from './own-instruments.js';

/** An instrument, and what of the figures it shows. */
interface Shown {
  readonly instrument: Observable;
  readonly read: (figures: ClusterStats) => number | undefined;
}

/** Shows metrics how processes share a server, when they are collected and at no other time. */
export class ClusterGauges {
  readonly #shown: readonly Shown[];

  constructor(
    private readonly meter: GuardedMeter,
    private readonly readFigures: () => ClusterStats | undefined,
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
      instrument: meter.createObservable('Gauge', Own.clusterLag, {
        unit: 's',
        description: 'How long the newest entry took from the process that wrote it to this one.',
      }),
      read: ({ lagMs }) => lagMs && lagMs / 1000,
    },
    {
      instrument: level(Own.clusterConnected, '{process}', 'Processes that reach the others.'),
      read: ({ isConnected }) => Number(isConnected),
    },
    {
      instrument: count(Own.clusterReconnections, '{reconnection}', 'How often the connection was restored.'),
      read: ({ reconnections }) => reconnections,
    },
    {
      instrument: level(Own.clusterWaiting, '{message}', 'Messages that wait to be published.'),
      read: ({ waiting }) => waiting,
    },
    {
      instrument: count(Own.clusterDropped, '{message}', 'Messages that never reached the others.'),
      read: ({ dropped }) => dropped,
    },
    {
      instrument: count(Own.clusterReplayed, '{message}', 'Messages that were read again.'),
      read: ({ replayed }) => replayed,
    },
    {
      instrument: count(
        Own.clusterUnreadable,
        '{message}',
        'Messages that were encrypted by another secret.',
      ),
      read: ({ unreadable }) => unreadable,
    },
    {
      instrument: count(Own.clusterGaps, '{gap}', 'How often messages were gone before they could be read.'),
      read: ({ gaps }) => gaps,
    },
  ];
}
