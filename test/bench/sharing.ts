import { buildCallExchange } from './exchange.js';
import { buildRow, withAgain } from './rows.js';
import { type Assignment, startFanOut } from './server-contender.js';
import { getSubject, OURS } from './subjects.js';
import { PROTOCOL_VERSIONS, type Wire } from './wire.js';
import { CPU_PER_REQUEST, CPU_PER_STREAM, type Workload } from './workload.js';

/** The row of our server that shares what it must with other processes. */
export const SHARED = `${OURS}/shared`;

const LAUNCHES = 4;
const ANNOUNCED_URI = 'desk://queues/0';

/** Compares our server with itself, so that other processes are the only difference. */
export function buildSharedCall(wire: Wire): Workload {
  const subject = getSubject(OURS);
  const asked = { wire, tools: 1, exchange: buildCallExchange(wire) };
  const shared = { ...subject, id: SHARED, label: `${subject.label}, with Redis` };
  return {
    name: `shared-call-${wire}`,
    title: `tools/call, ${PROTOCOL_VERSIONS[wire]}, alone and as one of several processes`,
    kind: 'load',
    quantity: CPU_PER_REQUEST,
    unit: OURS,
    launches: LAUNCHES,
    needsRedis: true,
    rows: [...withAgain(OURS, [buildRow(subject, asked)]), buildRow(shared, { ...asked, isShared: true })],
  };
}

export function buildSharedFanOut(): Workload {
  const subject = getSubject(OURS);
  const alone: Assignment = {
    subject,
    wire: 'handshake',
    tools: 1,
    resources: 1,
    announcedUri: ANNOUNCED_URI,
  };
  const shared: Assignment = { ...alone, isShared: true };
  return {
    name: 'shared-fan-out',
    title:
      'notifications/resources/updated to 1,000 open GET streams, per stream, alone and as one of several processes',
    kind: 'fanOut',
    quantity: CPU_PER_STREAM,
    unit: OURS,
    needsRedis: true,
    rows: [
      ...withAgain(OURS, [
        { id: OURS, label: subject.label, start: (setup) => startFanOut(alone, setup, 'fanOut') },
      ]),
      {
        id: SHARED,
        label: `${subject.label}, with Redis`,
        start: (setup) => startFanOut(shared, setup, 'fanOut'),
      },
    ],
  };
}
