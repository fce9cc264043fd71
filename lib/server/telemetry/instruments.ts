import type { Attributes, BatchObservableResult, Counter, Observable } from '@opentelemetry/api';
import { createDurations, type GuardedMeter, type Recorder } from '../../core/telemetry/guarded-meter.js';
import type { ClusterStats } from '../settings/cluster/cluster.interface.js';

type Adder = Pick<Counter, 'add'>;

/** The prefix of names that the semantic conventions do not define. */
const PREFIX = 'nestjs_mcp';

/** The names of instruments and attributes that the semantic conventions do not define. */
export const TelemetryName = {
  server: `${PREFIX}.server`,
  refusalReason: `${PREFIX}.refusal.reason`,
  tokenResult: `${PREFIX}.token.result`,
  taskStatus: `${PREFIX}.task.status`,
  authorizationType: `${PREFIX}.authorization.type`,
  authorizationOutcome: `${PREFIX}.authorization.outcome`,
  repairedMembers: `${PREFIX}.arguments.repaired`,
  repairedCalls: `${PREFIX}.calls.repaired`,
  refusedRequests: `${PREFIX}.requests.refused`,
  tokens: `${PREFIX}.tokens`,
  authorizations: `${PREFIX}.authorizations`,
  keyFetches: `${PREFIX}.key_fetch.duration`,
  sessions: `${PREFIX}.sessions`,
  streams: `${PREFIX}.streams`,
  queuedBytes: `${PREFIX}.streams.queued`,
  tasks: `${PREFIX}.tasks`,
  endedTasks: `${PREFIX}.tasks.ended`,
  droppedAuditEvents: `${PREFIX}.audit.events.dropped`,
  clusterLag: `${PREFIX}.cluster.lag`,
  clusterConnected: `${PREFIX}.cluster.connected`,
  clusterReconnections: `${PREFIX}.cluster.reconnections`,
  clusterWaiting: `${PREFIX}.cluster.messages.waiting`,
  clusterDropped: `${PREFIX}.cluster.messages.dropped`,
  clusterReplayed: `${PREFIX}.cluster.messages.replayed`,
  clusterUnreadable: `${PREFIX}.cluster.messages.unreadable`,
  clusterGaps: `${PREFIX}.cluster.gaps`,
} as const;

/** A server's counters, for events other than operations. */
export interface ServerCounters {
  readonly refusedRequests: Adder;
  readonly repairedCalls: Adder;
  readonly tokens: Adder;
  readonly authorizations: Adder;
  readonly keyFetches: Recorder;
  readonly endedTasks: Adder;
  readonly droppedAuditEvents: Adder;
}

export function createCounters(meter: GuardedMeter): ServerCounters {
  return {
    refusedRequests: meter.createCounter(TelemetryName.refusedRequests, {
      unit: '{request}',
      description: 'Rejected requests.',
    }),
    repairedCalls: meter.createCounter(TelemetryName.repairedCalls, {
      unit: '{call}',
      description: 'Tool calls with repaired arguments, by tool.',
    }),
    tokens: meter.createCounter(TelemetryName.tokens, {
      unit: '{token}',
      description: 'Access tokens in requests, by validation result.',
    }),
    authorizations: meter.createCounter(TelemetryName.authorizations, {
      unit: '{event}',
      description: 'Events of the authorization server, by type and outcome.',
    }),
    keyFetches: createDurations(meter, TelemetryName.keyFetches, 'The duration of issuer key fetches.'),
    endedTasks: meter.createCounter(TelemetryName.endedTasks, {
      unit: '{task}',
      description: 'Tasks of this process that have ended, by final status.',
    }),
    droppedAuditEvents: meter.createCounter(TelemetryName.droppedAuditEvents, {
      unit: '{event}',
      description: 'Audit events that subscribers missed because they were busy.',
    }),
  };
}

/** The values that are read whenever metrics are collected. */
export interface GaugeSources {
  readonly sessions: () => number;
  readonly streams: () => number;
  readonly queuedBytes: () => number;
  /** Returns the number of open tasks per status; absent without tasks. */
  readonly tasks?: () => Promise<ReadonlyMap<string, number>>;
}

/** Reports open sessions, streams and tasks when metrics are collected. */
export class Gauges {
  readonly #sessions: Observable;
  readonly #streams: Observable;
  readonly #queuedBytes: Observable;
  readonly #tasks: Observable;

  constructor(
    private readonly meter: GuardedMeter,
    private readonly observed: GaugeSources,
    private readonly attributes: Attributes,
  ) {
    this.#sessions = this.#create(TelemetryName.sessions, '{session}', 'Open sessions.');
    this.#streams = this.#create(TelemetryName.streams, '{stream}', 'Open HTTP event streams.');
    this.#queuedBytes = this.#create(TelemetryName.queuedBytes, 'By', 'Bytes waiting for stream readers.');
    this.#tasks = this.#create(TelemetryName.tasks, '{task}', 'Tasks of this process that have not ended.');
    meter.addBatchObservableCallback(this.#observe, this.#all);
  }

  /** Stops reporting. */
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
      result.observe(this.#tasks, count, { ...attributes, [TelemetryName.taskStatus]: status });
    }
  };

  #create(name: string, unit: string, description: string): Observable {
    return this.meter.createObservable('UpDownCounter', name, { unit, description });
  }
}

/** An instrument and the statistic that it reports. */
interface ClusterGauge {
  readonly instrument: Observable;
  readonly read: (figures: ClusterStats) => number | undefined;
}

/** Reports cluster statistics when metrics are collected. */
export class ClusterGauges {
  readonly #shown: readonly ClusterGauge[];

  constructor(
    private readonly meter: GuardedMeter,
    private readonly readFigures: () => ClusterStats | undefined,
    private readonly attributes: Attributes,
  ) {
    this.#shown = createInstruments(meter);
    meter.addBatchObservableCallback(this.#observe, this.#all);
  }

  /** Stops reporting. */
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

function createInstruments(meter: GuardedMeter): readonly ClusterGauge[] {
  const count = (name: string, unit: string, description: string): Observable =>
    meter.createObservable('Counter', name, { unit, description });
  const level = (name: string, unit: string, description: string): Observable =>
    meter.createObservable('UpDownCounter', name, { unit, description });
  return [
    {
      instrument: meter.createObservable('Gauge', TelemetryName.clusterLag, {
        unit: 's',
        description: 'How long the newest entry took to reach this process from the process that wrote it.',
      }),
      read: ({ lagMs }) => lagMs && lagMs / 1000,
    },
    {
      instrument: level(
        TelemetryName.clusterConnected,
        '{process}',
        'Whether the process can reach the others: 1 or 0.',
      ),
      read: ({ isConnected }) => Number(isConnected),
    },
    {
      instrument: count(
        TelemetryName.clusterReconnections,
        '{reconnection}',
        'The number of times the connection was restored.',
      ),
      read: ({ reconnections }) => reconnections,
    },
    {
      instrument: level(TelemetryName.clusterWaiting, '{message}', 'Messages waiting to be published.'),
      read: ({ waiting }) => waiting,
    },
    {
      instrument: count(TelemetryName.clusterDropped, '{message}', 'Messages that never reached the others.'),
      read: ({ dropped }) => dropped,
    },
    {
      instrument: count(TelemetryName.clusterReplayed, '{message}', 'Messages that were read again.'),
      read: ({ replayed }) => replayed,
    },
    {
      instrument: count(
        TelemetryName.clusterUnreadable,
        '{message}',
        'Messages encrypted with a different secret.',
      ),
      read: ({ unreadable }) => unreadable,
    },
    {
      instrument: count(
        TelemetryName.clusterGaps,
        '{gap}',
        'The number of times messages were lost before they could be read.',
      ),
      read: ({ gaps }) => gaps,
    },
  ];
}
