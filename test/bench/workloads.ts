import { type Exchange } from './load.js';
import { type Assignment, ServerContender } from './server-contender.js';
import { buildToolDescriptions } from './servers/fixtures.js';
import { OURS, REFERENCE, type Subject, SUBJECTS } from './subjects.js';
import { createJoseValidation, createOurValidation, ValidationContender } from './validation.js';
import { buildInitialize, PROTOCOL_VERSIONS, type RpcMessage, type Wire } from './wire.js';
import { formatAgainId, type Row, type Workload } from './workload.js';

const [firstTool] = buildToolDescriptions(1);
const CALL: RpcMessage = {
  method: 'tools/call',
  params: { name: firstTool?.name, arguments: { query: 'printer', status: 'open', limit: 10 } },
};
const MANY = 1000;
const LISTED = 100;

/** The row of our server that asks for tokens. */
export const PROTECTED = `${OURS}/jwt`;

/** The rows of the workload "first-validation". */
export const JOSE = 'jose';
export const OUR_VALIDATION = 'nestjs-mcp';

export const WORKLOADS: Workload[] = [
  buildCall('handshake'),
  buildCall('perRequest'),
  buildProtectedCall('handshake'),
  buildProtectedCall('perRequest'),
  buildFirstValidation(),
  buildCallAmongMany('handshake'),
  buildCallAmongMany('perRequest'),
  buildList('handshake'),
  buildList('perRequest'),
  buildHandshake(),
  buildFanOut(),
];

/** Formats the row id of a subject that has many tools registered. */
export function formatManyId(subjectId: string): string {
  return `${subjectId}/${MANY}`;
}

function buildCall(wire: Wire): Workload {
  const exchange = buildCallExchange(wire);
  return {
    name: `call-${wire}`,
    title: `tools/call, ${PROTOCOL_VERSIONS[wire]}, 1 tool`,
    kind: 'load',
    unit: REFERENCE,
    rows: SUBJECTS.map((subject) => buildRow({ subject, wire, tools: 1, exchange })),
  };
}

/** Compares our server with itself, so that the token is the only difference. */
function buildProtectedCall(wire: Wire): Workload {
  const assignment = { subject: getSubject(OURS), wire, tools: 1, exchange: buildCallExchange(wire) };
  const open = buildRow(assignment);
  return {
    name: `jwt-${wire}`,
    title: `tools/call with a cached JWT, ${PROTOCOL_VERSIONS[wire]}, 1 tool`,
    kind: 'load',
    unit: OURS,
    rows: [
      open,
      { ...open, id: formatAgainId(OURS), label: `${open.label}, once more` },
      {
        ...buildRow({ ...assignment, isProtected: true }),
        id: PROTECTED,
        label: `${open.label}, with a JWT`,
      },
    ],
  };
}

function buildFirstValidation(): Workload {
  const jose: Row = {
    id: JOSE,
    label: "jose's jwtVerify",
    start: (plan) => ValidationContender.start(createJoseValidation, plan),
  };
  return {
    name: 'first-validation',
    title: 'validation of a JWT that is not cached, ES256, in this process',
    kind: 'load',
    unit: JOSE,
    rows: [
      jose,
      { ...jose, id: formatAgainId(JOSE), label: `${jose.label}, once more` },
      {
        id: OUR_VALIDATION,
        label: 'nestjs-mcp',
        start: (plan) => ValidationContender.start(createOurValidation, plan),
      },
    ],
  };
}

/** Puts our server with one tool into the same table, so that both are measured in the same slices. */
function buildCallAmongMany(wire: Wire): Workload {
  const exchange = buildCallExchange(wire);
  const withMany = SUBJECTS.filter(({ program }) => !program.startsWith('bare-'));
  const withOne = [getSubject(REFERENCE), getSubject(OURS)];
  return {
    name: `call-many-${wire}`,
    title: `tools/call, ${PROTOCOL_VERSIONS[wire]}, ${MANY} tools`,
    kind: 'load',
    unit: REFERENCE,
    rows: [
      ...withOne.map((subject) => buildRow({ subject, wire, tools: 1, exchange })),
      ...withMany.map((subject) => ({
        ...buildRow({ subject, wire, tools: MANY, exchange }),
        id: formatManyId(subject.id),
        label: `${subject.label}, ${MANY} tools`,
      })),
    ],
  };
}

function buildList(wire: Wire): Workload {
  const exchange: Exchange = {
    wire,
    message: { method: 'tools/list', params: {} },
    assertResult: ({ tools }) => {
      const listed = tools as { name: string; inputSchema: { properties: object } }[];
      assertEqual(listed.length, LISTED);
      assertEqual(listed.at(-1)?.name, buildToolDescriptions(LISTED).at(-1)?.name);
      for (const { inputSchema } of listed) {
        assertEqual(Object.keys(inputSchema.properties).join(), 'query,status,limit,tags');
      }
    },
  };
  return {
    name: `list-${wire}`,
    title: `tools/list, ${PROTOCOL_VERSIONS[wire]}, ${LISTED} tools`,
    kind: 'load',
    unit: REFERENCE,
    rows: SUBJECTS.map((subject) => buildRow({ subject, wire, tools: LISTED, exchange })),
  };
}

function buildHandshake(): Workload {
  const exchange: Exchange = {
    wire: 'handshake',
    message: buildInitialize(),
    assertResult: ({ protocolVersion }) => assertEqual(protocolVersion, PROTOCOL_VERSIONS.handshake),
  };
  return {
    name: 'initialize',
    title: `initialize, ${PROTOCOL_VERSIONS.handshake}`,
    kind: 'load',
    unit: REFERENCE,
    rows: SUBJECTS.map((subject) => buildRow({ subject, wire: 'handshake', tools: 1, exchange })),
  };
}

function buildFanOut(): Workload {
  return {
    name: 'fan-out',
    title: 'notifications/tools/list_changed to open GET streams, per stream',
    kind: 'fanOut',
    unit: REFERENCE,
    rows: SUBJECTS.map((subject) => {
      const row = buildRow({ subject, wire: 'handshake', tools: 1 });
      return subject.streams ? row : { ...row, start: undefined };
    }),
  };
}

function buildRow(assignment: Assignment): Row {
  const { subject, wire } = assignment;
  return {
    id: subject.id,
    label: subject.label,
    start: subject.wires.includes(wire) ? (plan) => ServerContender.start(assignment, plan) : undefined,
  };
}

function getSubject(id: string): Subject {
  const subject = SUBJECTS.find((candidate) => candidate.id === id);
  if (!subject) throw new Error(`There is no subject "${id}"`);
  return subject;
}

function buildCallExchange(wire: Wire): Exchange {
  return {
    wire,
    message: CALL,
    assertResult: ({ content, isError }) => {
      assertEqual(isError ?? false, false);
      assertEqual((content as { text: string }[])[0]?.text, '10 open tickets match "printer"');
    },
  };
}

function assertEqual(actual: unknown, expected: unknown): void {
  if (actual !== expected)
    throw new Error(`Expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}
