import { OURS, REFERENCE, type Subject, SUBJECTS } from './subjects.js';
import { buildToolDescriptions } from './servers/fixtures.js';
import { buildInitialize, PROTOCOL_VERSIONS, type RpcMessage, type Wire } from './wire.js';

/** One line of a workload's table: a subject with so many tools registered. */
export interface Row {
  id: string;
  label: string;
  subject: Subject;
  tools: number;
  /** Whether the subject can do this at all; if not the line shows dashes. */
  measured: boolean;
}

export interface Workload {
  name: string;
  title: string;
  wire: Wire;
  /** What every connection asks, or `undefined` for the fan-out of a notification. */
  message?: RpcMessage;
  rows: Row[];
  /** Throws unless the result is the right one. */
  assertResult(result: Record<string, unknown>, tools: number): void;
}

const [firstTool] = buildToolDescriptions(1);
const CALL: RpcMessage = {
  method: 'tools/call',
  params: { name: firstTool?.name, arguments: { query: 'printer', status: 'open', limit: 10 } },
};
const MANY = 1000;

export const WORKLOADS: Workload[] = [
  buildCall('handshake'),
  buildCall('perRequest'),
  buildCallAmongMany('handshake'),
  buildCallAmongMany('perRequest'),
  buildList('handshake'),
  buildList('perRequest'),
  {
    name: 'initialize',
    title: `initialize, ${PROTOCOL_VERSIONS.handshake}`,
    wire: 'handshake',
    message: buildInitialize(),
    rows: SUBJECTS.map((subject) => buildRow(subject, 1, 'handshake')),
    assertResult: ({ protocolVersion }) => assertEqual(protocolVersion, PROTOCOL_VERSIONS.handshake),
  },
  {
    name: 'fan-out',
    title: 'notifications/tools/list_changed to open GET streams, per stream',
    wire: 'handshake',
    rows: SUBJECTS.map((subject) => ({
      ...buildRow(subject, 1, 'handshake'),
      measured: subject.streams,
    })),
    assertResult: () => undefined,
  },
];

/** Formats the row id of a subject that has many tools registered. */
export function formatManyId(subjectId: string): string {
  return `${subjectId}/${MANY}`;
}

function buildCall(wire: Wire): Workload {
  return {
    name: `call-${wire}`,
    title: `tools/call, ${PROTOCOL_VERSIONS[wire]}, 1 tool`,
    wire,
    message: CALL,
    rows: SUBJECTS.map((subject) => buildRow(subject, 1, wire)),
    assertResult: assertCallResult,
  };
}

/** Puts our server with one tool into the same table, so that both are measured in the same slices. */
function buildCallAmongMany(wire: Wire): Workload {
  const withMany = SUBJECTS.filter(({ program }) => !program.startsWith('bare-'));
  const withOne = SUBJECTS.filter(({ id }) => id === REFERENCE || id === OURS);
  return {
    name: `call-many-${wire}`,
    title: `tools/call, ${PROTOCOL_VERSIONS[wire]}, ${MANY} tools`,
    wire,
    message: CALL,
    rows: [
      ...withOne.map((subject) => buildRow(subject, 1, wire)),
      ...withMany.map((subject) => ({
        ...buildRow(subject, MANY, wire),
        id: formatManyId(subject.id),
        label: `${subject.label}, ${MANY} tools`,
      })),
    ],
    assertResult: assertCallResult,
  };
}

function buildList(wire: Wire): Workload {
  return {
    name: `list-${wire}`,
    title: `tools/list, ${PROTOCOL_VERSIONS[wire]}, 100 tools`,
    wire,
    message: { method: 'tools/list', params: {} },
    rows: SUBJECTS.map((subject) => buildRow(subject, 100, wire)),
    assertResult: ({ tools }, count) => {
      const listed = tools as { name: string; inputSchema: { properties: object } }[];
      assertEqual(listed.length, count);
      assertEqual(listed.at(-1)?.name, buildToolDescriptions(count).at(-1)?.name);
      for (const { inputSchema } of listed) {
        assertEqual(Object.keys(inputSchema.properties).join(), 'query,status,limit,tags');
      }
    },
  };
}

function buildRow(subject: Subject, tools: number, wire: Wire): Row {
  return { id: subject.id, label: subject.label, subject, tools, measured: subject.wires.includes(wire) };
}

function assertCallResult({ content, isError }: Record<string, unknown>): void {
  assertEqual(isError ?? false, false);
  assertEqual((content as { text: string }[])[0]?.text, '10 open tickets match "printer"');
}

function assertEqual(actual: unknown, expected: unknown): void {
  if (actual !== expected)
    throw new Error(`Expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}
