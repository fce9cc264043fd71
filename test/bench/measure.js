import { measureFanOut } from './fan-out.js';
import { measureLoad } from './load.js';
import { ServerProcess } from './server-process.js';
import {} from './statistics.js';
import {} from './workloads.js';
/**
 * Measures all rows of a workload in one run. The servers live side by side and are loaded in turn, one short slice each
 * per round and every second round backwards, so that whatever else the machine does falls on all of them alike.
 */
export async function measureWorkload(workload, plan, onProgress) {
    const rows = workload.rows.map((row) => ({ row, samples: [] }));
    const running = new Map();
    try {
        for (const result of rows.filter(({ row }) => row.measured)) {
            onProgress(`${workload.name}: warming up ${result.row.label}`);
            await guard(result, async () => {
                const server = await start(workload, result.row);
                running.set(result, server);
                await measureSlice(server, { workload, row: result.row, plan: toWarmUp(plan) });
            });
        }
        for (let round = 0; round < plan.rounds; round += 1) {
            const inTurn = round % 2 === 0 ? [...running] : [...running].toReversed();
            for (const [result, server] of inTurn) {
                if (result.failure !== undefined)
                    continue;
                onProgress(`${workload.name}: round ${round + 1} of ${plan.rounds}, ${result.row.label}`);
                await guard(result, async () => {
                    result.samples.push(await measureSlice(server, { workload, row: result.row, plan }));
                });
            }
        }
    }
    finally {
        await Promise.all([...running.values()].map((server) => server.stop()));
    }
    return { workload, rows };
}
function start({ wire, message }, { subject, tools }) {
    const { program, variant } = subject;
    return ServerProcess.start(program, {
        wire,
        tools,
        announces: message === undefined,
        ...(variant === undefined ? {} : { variant }),
    });
}
function measureSlice(server, { workload, row, plan }) {
    if (!workload.message)
        return measureFanOut(server, plan.fanOut);
    return measureLoad(server, { workload, row, plan: plan.load });
}
function toWarmUp(plan) {
    return { ...plan, load: { ...plan.load, warmUpMs: plan.firstWarmUpMs, sliceMs: 0 } };
}
/** Notes a subject's failure on its row and lets the others go on. */
async function guard(result, task) {
    try {
        await task();
    }
    catch (error) {
        result.failure = error instanceof Error ? error.message : String(error);
        result.samples = [];
    }
}
