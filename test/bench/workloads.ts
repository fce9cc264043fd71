import { buildCallExchange, buildInitializeExchange, buildListExchange } from './exchange.js';
import {
  buildCallAmongResources,
  buildCallAmongSessions,
  buildCallAmongTools,
  buildReadAmongResources,
} from './growth.js';
import { type Asked, buildRow, withAgain } from './rows.js';
import { type Assignment, startFanOut, startMemory, startStartUp } from './server-contender.js';
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
  WITHOUT_MCP,
} from './subjects.js';
import { buildHandlers } from './handlers.js';
import { buildLatencies } from './latency.js';
import { buildSharedCall, buildSharedDelivery, buildSharedFanOut, buildSharedIdle } from './sharing.js';
import { createJoseValidation, createOurValidation, ValidationContender } from './validation.js';
import { PROTOCOL_VERSIONS, type Wire } from './wire.js';
import {
  BYTES_PER_SESSION,
  CPU_PER_REQUEST,
  CPU_PER_STREAM,
  type Row,
  TIME_TO_ANSWER,
  type Workload,
} from './workload.js';

const LISTED = 100;
const STARTED = 200;

/** The row of our server that asks for tokens. */
export const PROTECTED = `${OURS}/jwt`;

/** The row of our server that records spans and metrics. */
export const RECORDED = `${OURS}/recorded`;
export const AUDITED = `${OURS}/audited`;

/** The row of our server whose handler records the same by hand. */
export const RECORDED_BY_HAND = `${OURS}/recorded-by-hand`;

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
  buildSharedCall('handshake'),
  buildSharedCall('perRequest'),
  buildSharedFanOut(),
  buildSharedDelivery(),
  buildSharedIdle(),
  ...buildLatencies(),
  buildMemory(),
  buildStartUp(),
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

/** Compares our server with itself, so that the token is the only difference. */
function buildProtectedCall(wire: Wire): Workload {
  const subject = getSubject(OURS);
  const asked = { wire, tools: 1, exchange: buildCallExchange(wire) };
  const { label } = subject;
  const withToken = { ...subject, id: PROTECTED, label: `${label}, with a JWT` };
  const withLateKeys = {
    ...subject,
    id: `${PROTECTED}/late-keys`,
    label: `${label}, with a JWT, keys fetched while it serves`,
  };
  return {
    name: `jwt-${wire}`,
    title: `tools/call with a cached JWT, ${PROTOCOL_VERSIONS[wire]}, 1 tool`,
    kind: 'load',
    quantity: CPU_PER_REQUEST,
    unit: OURS,
    launches: 7,
    rows: [
      ...withAgain(OURS, [buildRow(subject, asked)]),
      buildRow(withToken, { ...asked, jwt: { jwks: { prefetch: true } } }),
      buildRow(withLateKeys, { ...asked, jwt: {} }),
    ],
  };
}

/** Compares our server with itself, so that recording is the only difference, and with what OpenTelemetry costs whoever uses it. */
function buildRecordedCall(wire: Wire): Workload {
  const subject = getSubject(OURS);
  const asked = { wire, tools: 1, exchange: buildCallExchange(wire) };
  const label = `${subject.label}, with spans and metrics`;
  const recorded = { ...subject, id: RECORDED, label };
  const byHand = { ...subject, id: RECORDED_BY_HAND, label: `${label} of OpenTelemetry alone` };
  return {
    name: `telemetry-${wire}`,
    title: `tools/call with spans and metrics, ${PROTOCOL_VERSIONS[wire]}, 1 tool`,
    kind: 'load',
    quantity: CPU_PER_REQUEST,
    unit: OURS,
    launches: 3,
    rows: [
      ...withAgain(OURS, [buildRow(subject, asked)]),
      buildRow(recorded, { ...asked, recorder: 'server' }),
      buildRow(byHand, { ...asked, recorder: 'handler' }),
    ],
  };
}

/** Compares our server with itself, so that the audit is the only difference. */
function buildAuditedCall(wire: Wire): Workload {
  const subject = getSubject(OURS);
  const asked = { wire, tools: 1, exchange: buildCallExchange(wire) };
  const audited = { ...subject, id: AUDITED, label: `${subject.label}, with a subscriber of its audit` };
  return {
    name: `audit-${wire}`,
    title: `tools/call with an audit, ${PROTOCOL_VERSIONS[wire]}, 1 tool`,
    kind: 'load',
    quantity: CPU_PER_REQUEST,
    unit: OURS,
    launches: 3,
    rows: [...withAgain(OURS, [buildRow(subject, asked)]), buildRow(audited, { ...asked, isAudited: true })],
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

function buildStartUp(): Workload {
  const asked = {
    wire: 'perRequest',
    tools: STARTED,
    exchange: buildCallExchange('perRequest'),
  } as const;
  const without = { id: WITHOUT_MCP, label: 'without McpModule', program: 'nest-without-mcp' };
  const subjects = [without, getSubject(OURS), getSubject('mcp-nest')];
  return {
    name: 'start-up',
    title: `from the start of a process to its first answer, ${STARTED} tools`,
    kind: 'startUp',
    quantity: TIME_TO_ANSWER,
    unit: WITHOUT_MCP,
    rows: withAgain(
      WITHOUT_MCP,
      subjects.map((subject) => ({
        id: subject.id,
        label: subject.label,
        start: (setup) => startStartUp({ ...asked, subject }, setup),
      })),
    ),
  };
}
