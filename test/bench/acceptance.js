import {} from './measure.js';
import { findRatio } from './report.js';
import { OURS, PEERS, REFERENCE } from './subjects.js';
import { formatManyId } from './workloads.js';
const WIRES = ['handshake', 'perRequest'];
const LIMITS = [
    ...WIRES.map((wire) => ({
        workload: `call-${wire}`,
        text: 'a call costs as much as a bare Nest Express controller',
        row: OURS,
        against: [REFERENCE],
        atMost: 1.15,
    })),
    ...WIRES.map((wire) => ({
        workload: `call-${wire}`,
        text: 'a call costs half of what it costs with @rekog/mcp-nest',
        row: OURS,
        against: PEERS,
        atMost: 0.5,
    })),
    ...WIRES.map((wire) => ({
        workload: `call-many-${wire}`,
        text: 'a call costs the same with 1,000 tools as with 1',
        row: formatManyId(OURS),
        against: [OURS],
        atMost: 1.1,
    })),
    ...WIRES.map((wire) => ({
        workload: `list-${wire}`,
        text: 'a list of 100 tools costs as much as a bare controller that returns it',
        row: OURS,
        against: [REFERENCE],
        atMost: 1.3,
    })),
];
/** Judges what was measured; limits of workloads that did not run are left out. */
export function judge(results) {
    return LIMITS.flatMap(({ workload, text, row, against, atMost }) => {
        const result = results.find((candidate) => candidate.workload.name === workload);
        if (!result)
            return [];
        const ratios = against.flatMap((reference) => findRatio(result, row, reference) ?? []);
        const ratio = ratios.length === 0 ? undefined : Math.max(...ratios);
        return [{ workload, text, atMost, ratio, passed: ratio !== undefined && ratio <= atMost }];
    });
}
export function formatVerdict({ workload, text, atMost, ratio, passed }) {
    const measured = ratio === undefined ? 'not measured' : ratio.toFixed(2);
    return `${passed ? 'PASS' : 'FAIL'}  ${workload.padEnd(20)} ${measured} (at most ${atMost}): ${text}`;
}
