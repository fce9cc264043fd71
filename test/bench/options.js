import { parseArgs } from 'node:util';
import {} from './measure.js';
import { WORKLOADS } from './workloads.js';
const FULL = {
    rounds: 9,
    firstWarmUpMs: 5000,
    load: { connections: 16, warmUpMs: 150, sliceMs: 600 },
    fanOut: { streams: 1000, announcements: 10 },
};
const QUICK = {
    rounds: 3,
    firstWarmUpMs: 500,
    load: { connections: 16, warmUpMs: 50, sliceMs: 200 },
    fanOut: { streams: 1000, announcements: 2 },
};
/**
 * Parses the command line.
 *
 * @throws Error if an option is unknown or `--only` names no workload
 */
export function parseOptions(argumentList) {
    const { values } = parseArgs({
        args: argumentList,
        options: {
            quick: { type: 'boolean', default: false },
            json: { type: 'boolean', default: false },
            only: { type: 'string', multiple: true, default: [] },
        },
    });
    return {
        plan: values.quick ? QUICK : FULL,
        workloads: selectWorkloads(values.only),
        json: values.json,
    };
}
function selectWorkloads(names) {
    const unknown = names.find((name) => !WORKLOADS.some((workload) => workload.name.startsWith(name)));
    if (unknown !== undefined) {
        const known = WORKLOADS.map(({ name }) => name).join(', ');
        throw new Error(`"--only ${unknown}" names no workload, it takes the beginning of one of ${known}`);
    }
    if (names.length === 0)
        return WORKLOADS;
    return WORKLOADS.filter(({ name }) => names.some((beginning) => name.startsWith(beginning)));
}
