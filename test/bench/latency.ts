import type { Contender } from './contender.js';
import { CONNECTIONS, LatencyContender } from './latency-contender.js';
import type { Setup } from './plan.js';
import { withAgain } from './rows.js';
import { type Assignment, startServer } from './server-contender.js';
import { BARE_HTTP, getSubject, OURS, OURS_ON_FASTIFY, type Subject, SUBJECTS } from './subjects.js';
import { PROTOCOL_VERSIONS } from './wire.js';
import { LONGEST_PAUSE, P99, type Row, type Workload } from './workload.js';

/** Builds the workload of calls at half of what each server can do, and the same for long, of which the longest pause counts. */
export function buildLatencies(): Workload[] {
  return [
    {
      name: 'latency',
      title: `tools/call, ${PROTOCOL_VERSIONS.handshake}, at half of what each server can do, beside 1,000 open streams that hear of a change every second`,
      kind: 'latency',
      quantity: P99,
      unit: BARE_HTTP,
      rows: withAgain(
        BARE_HTTP,
        SUBJECTS.map((subject) => buildRow(subject, 'latency')),
      ),
    },
    {
      name: 'pauses',
      title: 'the longest pause of the event loop under the load of "latency"',
      kind: 'pauses',
      quantity: LONGEST_PAUSE,
      unit: BARE_HTTP,
      rows: [BARE_HTTP, OURS, OURS_ON_FASTIFY].map((id) => buildRow(getSubject(id), 'pauses')),
    },
  ];
}

function buildRow(subject: Subject, kind: 'latency' | 'pauses'): Row {
  const { id, label, streams, wires } = subject;
  const canDo = streams && wires.includes('handshake');
  const assignment: Assignment = { subject, wire: 'handshake', tools: 1 };
  return { id, label, start: canDo ? (setup) => startLatency(assignment, setup, kind) : undefined };
}

async function startLatency(
  assignment: Assignment,
  setup: Setup,
  kind: 'latency' | 'pauses',
): Promise<Contender> {
  const plan = setup.plan[kind];
  const sessions = (plan.streams + CONNECTIONS) * 2;
  const server = await startServer(assignment, setup, { announces: true, sessions });
  return new LatencyContender(server, plan, { isOfPauses: kind === 'pauses' });
}
