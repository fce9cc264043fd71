import type { Counter } from '@opentelemetry/api';
import { createDurations, type Recorder } from '../../core/telemetry/durations.js';
import type { GuardedMeter } from '../../core/telemetry/guarded-meter.js';

type Adder = Pick<Counter, 'add'>;

/** What the conventions do not name begins with this. */
const PREFIX = 'nestjs_mcp';

/** The names of instruments and attributes that the conventions do not have. */
export const Own = {
  server: `${PREFIX}.server`,
  refusalReason: `${PREFIX}.refusal.reason`,
  tokenResult: `${PREFIX}.token.result`,
  taskStatus: `${PREFIX}.task.status`,
  repairedMembers: `${PREFIX}.arguments.repaired`,
  repairedCalls: `${PREFIX}.calls.repaired`,
  refusedRequests: `${PREFIX}.requests.refused`,
  tokens: `${PREFIX}.tokens`,
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

/** Counts events of a server other than operations. */
export interface OwnInstruments {
  readonly refusedRequests: Adder;
  readonly repairedCalls: Adder;
  readonly tokens: Adder;
  readonly keyFetches: Recorder;
  readonly endedTasks: Adder;
  readonly droppedAuditEvents: Adder;
}

export function createOwnInstruments(meter: GuardedMeter): OwnInstruments {
  return {
    refusedRequests: meter.createCounter(Own.refusedRequests, {
      unit: '{request}',
      description: 'Requests that were refused.',
    }),
    repairedCalls: meter.createCounter(Own.repairedCalls, {
      unit: '{call}',
      description: 'Calls of tools whose arguments were repaired, by tool.',
    }),
    tokens: meter.createCounter(Own.tokens, {
      unit: '{token}',
      description: 'Access tokens of requests, by what came of them.',
    }),
    keyFetches: createDurations(meter, Own.keyFetches, 'The duration of fetches of the keys of issuers.'),
    endedTasks: meter.createCounter(Own.endedTasks, {
      unit: '{task}',
      description: 'Tasks of this process that have ended, by how.',
    }),
    droppedAuditEvents: meter.createCounter(Own.droppedAuditEvents, {
      unit: '{event}',
      description: 'Events of the audit that subscribers missed, since they were busy.',
    }),
  };
}
