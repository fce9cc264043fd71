import { buildCallExchange } from './exchange.js';
import { buildRow as buildLoadRow, withAgain } from './rows.js';
import { type Assignment, startDelivery, startFanOut } from './server-contender.js';
import { getSubject, OURS, OURS_ON_FASTIFY } from './subjects.js';
import { PROTOCOL_VERSIONS, type Wire } from './wire.js';
import {
  CPU_PER_REQUEST,
  CPU_PER_STREAM,
  formatCountId,
  type Row,
  TIME_TO_STREAM,
  type Workload,
} from './workload.js';

/** The row of our server that shares what it must with other processes. */
export const SHARED = formatSharedId(OURS);

const LAUNCHES = 4;
const ANNOUNCED_URI = 'desk://queues/0';
/** Sessions that nobody uses: what an announcement costs must not depend on how many there are. */
const FEW_IDLE = 10;
export const MANY_IDLE = 10_000;

const ANNOUNCING = {
  subject: getSubject(OURS),
  wire: 'handshake',
  tools: 1,
  resources: 1,
  announcedUri: ANNOUNCED_URI,
} as const satisfies Assignment;

/** Gives the id of the row of our server on an adapter that shares what it must with other processes. */
export function formatSharedId(rowId: string): string {
  return `${rowId}/shared`;
}

/** Compares our server with itself, so that other processes are the only difference. */
export function buildSharedCall(wire: Wire): Workload {
  const asked = { wire, tools: 1, exchange: buildCallExchange(wire) };
  const rows = [OURS, OURS_ON_FASTIFY].flatMap((subjectId) => {
    const subject = getSubject(subjectId);
    const shared = { ...subject, id: formatSharedId(subjectId), label: `${subject.label}, with Redis` };
    return [buildLoadRow(subject, asked), buildLoadRow(shared, { ...asked, isShared: true })];
  });
  return {
    name: `shared-call-${wire}`,
    title: `tools/call, ${PROTOCOL_VERSIONS[wire]}, alone and as one of several processes`,
    kind: 'load',
    quantity: CPU_PER_REQUEST,
    unit: OURS,
    launches: LAUNCHES,
    needsRedis: true,
    rows: withAgain(OURS, rows),
  };
}

export function buildSharedFanOut(): Workload {
  const { label } = ANNOUNCING.subject;
  const shared = { ...ANNOUNCING, isShared: true };
  return {
    name: 'shared-fan-out',
    title:
      'notifications/resources/updated to 1,000 open GET streams, per stream, alone and as one of several processes',
    kind: 'fanOut',
    quantity: CPU_PER_STREAM,
    unit: OURS,
    needsRedis: true,
    rows: [
      ...withAgain(OURS, [{ id: OURS, label, start: (setup) => startFanOut(ANNOUNCING, setup, 'fanOut') }]),
      {
        id: SHARED,
        label: `${label}, with Redis`,
        start: (setup) => startFanOut(shared, setup, 'fanOut'),
      },
    ],
  };
}

/** Times what one process announces until a client of another one has it. */
export function buildSharedDelivery(): Workload {
  const { label } = ANNOUNCING.subject;
  const shared = { ...ANNOUNCING, isShared: true };
  return {
    name: 'shared-delivery',
    title: 'from a call to the notification that it sets off, alone and on a stream of another process',
    kind: 'delivery',
    quantity: TIME_TO_STREAM,
    unit: OURS,
    needsRedis: true,
    rows: [
      ...withAgain(OURS, [{ id: OURS, label, start: (setup) => startDelivery(ANNOUNCING, setup) }]),
      {
        id: SHARED,
        label: `${label}, another process`,
        start: (setup) => startDelivery(shared, setup),
      },
    ],
  };
}

/** Compares our server with itself, so that how many sessions are idle is the only difference. */
export function buildSharedIdle(): Workload {
  const { label } = ANNOUNCING.subject;
  const buildRow = (id: string, idleSessions: number): Row => ({
    id,
    label: `${label}, with Redis, ${idleSessions} idle sessions`,
    start: (setup) => startFanOut({ ...ANNOUNCING, isShared: true, idleSessions }, setup, 'fewStreams'),
  });
  return {
    name: 'shared-idle',
    title:
      'notifications/resources/updated to few open GET streams, per stream, beside idle sessions that subscribed too',
    kind: 'fewStreams',
    quantity: CPU_PER_STREAM,
    unit: SHARED,
    launches: LAUNCHES,
    needsRedis: true,
    rows: [
      ...withAgain(SHARED, [buildRow(SHARED, FEW_IDLE)]),
      buildRow(formatCountId(SHARED, MANY_IDLE), MANY_IDLE),
    ],
  };
}
