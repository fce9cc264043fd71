import { buildCallExchange, buildInitializeExchange, buildListExchange } from './exchange.js';
import {
  buildCallAmongResources,
  buildCallAmongSessions,
  buildCallAmongTools,
  buildReadAmongResources,
} from './growth.js';
import { type Asked, buildRow, withAgain } from './rows.js';
import { buildAuditedCall, buildProtectedCall, buildRecordedCall } from './own-calls.js';
import { type Assignment, startFanOut, startMemory } from './server-contender.js';
import { buildStartUp, buildStartUps } from './start-ups.js';
import { buildStructures } from './structures.js';
import {
  BARE_HTTP,
  getSubject,
  OURS,
  formatRawId,
  OURS_ON_FASTIFY,
  RAW_SUBJECTS,
  REFERENCE,
  SDK_ALONE,
  type Subject,
  SUBJECTS,
} from './subjects.js';
import { buildGatewayCall } from './gateway.js';
import { buildHandlers } from './handlers.js';
import { buildLatencies } from './latency.js';
import { buildSharedCall, buildSharedDelivery, buildSharedFanOut, buildSharedIdle } from './sharing.js';
import { createJoseValidation, createOurValidation, ValidationContender } from './validation.js';
import { PROTOCOL_VERSIONS, type Wire } from './wire.js';
import { BYTES_PER_SESSION, CPU_PER_REQUEST, CPU_PER_STREAM, type Row, type Workload } from './workload.js';

const LISTED = 100;

/** The rows of the workload "first-validation". */
export const JOSE = 'jose';
export const OUR_VALIDATION = 'nestjs-mcp';

export const WORKLOADS: Workload[] = [
  buildCall('handshake'),
  buildCall('perRequest'),
  buildProtectedCall('handshake'),
  buildProtectedCall('perRequest'),
  buildRecordedCall('handshake'),
  buildRecordedCall('perRequest'),
  buildAuditedCall('handshake'),
  buildAuditedCall('perRequest'),
  buildFirstValidation(),
  buildCallAmongTools('handshake'),
  buildCallAmongTools('perRequest'),
  buildCallAmongSessions(),
  buildCallAmongResources('handshake'),
  buildCallAmongResources('perRequest'),
  buildReadAmongResources('handshake'),
  buildReadAmongResources('perRequest'),
  buildList('handshake'),
  buildList('perRequest'),
  buildHandshake(),
  buildFanOut(),
  buildWideFanOut(),
  ...buildHandlers(),
  buildGatewayCall('handshake'),
  buildGatewayCall('perRequest'),
  buildSharedCall('handshake'),
  buildSharedCall('perRequest'),
  buildSharedFanOut(),
  buildSharedDelivery(),
  buildSharedIdle(),
  ...buildLatencies(),
  buildMemory(),
  buildStartUp(),
  ...buildStructures(),
  ...buildStartUps(),
];

function buildCall(wire: Wire): Workload {
  const exchange = buildCallExchange(wire);
  return {
    name: `call-${wire}`,
    title: `tools/call, ${PROTOCOL_VERSIONS[wire]}, 1 tool`,
    kind: 'load',
    quantity: CPU_PER_REQUEST,
    unit: REFERENCE,
    rows: withAgain(
      REFERENCE,
      [...SUBJECTS, ...SDK_ALONE].map((subject) => buildRow(subject, { wire, tools: 1, exchange })),
    ),
  };
}

function buildFirstValidation(): Workload {
  return {
    name: 'first-validation',
    title: 'validation of a JWT that is not cached, ES256, in this process',
    kind: 'load',
    quantity: { ...CPU_PER_REQUEST, name: 'CPU µs/token' },
    unit: JOSE,
    rows: [
      ...withAgain(JOSE, [
        {
          id: JOSE,
          label: "jose's jwtVerify",
          start: ({ plan }) => ValidationContender.start(createJoseValidation, plan),
        },
      ]),
      {
        id: OUR_VALIDATION,
        label: 'nestjs-mcp',
        start: ({ plan }) => ValidationContender.start(createOurValidation, plan),
      },
    ],
  };
}

function buildList(wire: Wire): Workload {
  const asked = { wire, tools: LISTED, exchange: buildListExchange(wire, LISTED) };
  return {
    name: `list-${wire}`,
    title: `tools/list, ${PROTOCOL_VERSIONS[wire]}, ${LISTED} tools`,
    kind: 'load',
    quantity: CPU_PER_REQUEST,
    unit: REFERENCE,
    rows: withAgain(REFERENCE, [
      ...RAW_SUBJECTS.map((subject) => buildRow(subject, asked)),
      ...SUBJECTS.map((subject) => buildRow(subject, asked)),
    ]),
  };
}

function buildHandshake(): Workload {
  const asked: Asked = { wire: 'handshake', tools: 1, exchange: buildInitializeExchange() };
  return {
    name: 'initialize',
    title: `initialize, ${PROTOCOL_VERSIONS.handshake}`,
    kind: 'load',
    quantity: CPU_PER_REQUEST,
    unit: REFERENCE,
    rows: withAgain(
      REFERENCE,
      SUBJECTS.map((subject) => buildRow(subject, asked)),
    ),
  };
}

function buildFanOut(): Workload {
  return {
    name: 'fan-out',
    title: 'notifications/tools/list_changed to 1,000 open GET streams, per stream',
    kind: 'fanOut',
    quantity: CPU_PER_STREAM,
    unit: BARE_HTTP,
    rows: withAgain(
      BARE_HTTP,
      SUBJECTS.map((subject) => buildFanOutRow(subject, 'fanOut')),
    ),
  };
}

function buildWideFanOut(): Workload {
  return {
    name: 'fan-out-10000',
    title: 'notifications/tools/list_changed to 10,000 open GET streams, per stream',
    kind: 'wideFanOut',
    quantity: CPU_PER_STREAM,
    unit: BARE_HTTP,
    rows: withAgain(
      BARE_HTTP,
      [BARE_HTTP, OURS, OURS_ON_FASTIFY].map((id) => buildFanOutRow(getSubject(id), 'wideFanOut')),
    ),
  };
}

function buildFanOutRow(subject: Subject, kind: 'fanOut' | 'wideFanOut'): Row {
  const { id, label, streams } = subject;
  const assignment: Assignment = { subject, wire: 'handshake', tools: 1 };
  return { id, label, start: streams ? (setup) => startFanOut(assignment, setup, kind) : undefined };
}

function buildMemory(): Workload {
  const unit = formatRawId(REFERENCE);
  const subjects = SUBJECTS.filter(({ program }) => !program.startsWith('bare-'));
  return {
    name: 'memory',
    title: 'memory that an idle session with an open GET stream takes',
    kind: 'memory',
    quantity: BYTES_PER_SESSION,
    unit,
    rows: withAgain(
      unit,
      [...RAW_SUBJECTS, ...subjects].map((subject) => {
        const { id, label, streams } = subject;
        const assignment: Assignment = { subject, wire: 'handshake', tools: 1 };
        return { id, label, start: streams ? (setup) => startMemory(assignment, setup) : undefined };
      }),
    ),
  };
}
