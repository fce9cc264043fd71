import { OURS, REFERENCE, SUBJECTS } from './subjects.js';
import { buildToolDescriptions } from './servers/fixtures.js';
import { buildInitialize, PROTOCOL_VERSIONS } from './wire.js';
const [firstTool] = buildToolDescriptions(1);
const CALL = {
    method: 'tools/call',
    params: { name: firstTool?.name, arguments: { query: 'printer', status: 'open', limit: 10 } },
};
const MANY = 1000;
export const WORKLOADS = [
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
export function formatManyId(subjectId) {
    return `${subjectId}/${MANY}`;
}
function buildCall(wire) {
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
function buildCallAmongMany(wire) {
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
function buildList(wire) {
    return {
        name: `list-${wire}`,
        title: `tools/list, ${PROTOCOL_VERSIONS[wire]}, 100 tools`,
        wire,
        message: { method: 'tools/list', params: {} },
        rows: SUBJECTS.map((subject) => buildRow(subject, 100, wire)),
        assertResult: ({ tools }, count) => {
            const listed = tools;
            assertEqual(listed.length, count);
            assertEqual(listed.at(-1)?.name, buildToolDescriptions(count).at(-1)?.name);
            for (const { inputSchema } of listed) {
                assertEqual(Object.keys(inputSchema.properties).join(), 'query,status,limit,tags');
            }
        },
    };
}
function buildRow(subject, tools, wire) {
    return { id: subject.id, label: subject.label, subject, tools, measured: subject.wires.includes(wire) };
}
function assertCallResult({ content, isError }) {
    assertEqual(isError ?? false, false);
    assertEqual(content[0]?.text, '10 open tickets match "printer"');
}
function assertEqual(actual, expected) {
    if (actual !== expected)
        throw new Error(`Expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}
