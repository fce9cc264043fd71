import type { BenchOutput, WorkloadOutput } from '../bench-output.js';
import { formatTable } from '../markdown.js';
import {
  BARE_HTTP,
  FASTMCP,
  MCP_NEST,
  OURS,
  OURS_ON_FASTIFY,
  REFERENCE,
  REFERENCE_ON_FASTIFY,
} from '../subjects.js';
import { joinEstimates } from './join-estimates.js';
import { findRows, findWorkloads } from './saved-run.js';

/** What a reader asks first, by the workloads that say it. */
const SUMMARISED: [workload: string, what: string][] = [
  ['call-handshake', 'a call in a session'],
  ['call-perRequest', 'a call without a session'],
  ['list-perRequest', 'a list of 100 tools'],
  ['initialize', 'a handshake'],
  ['fan-out', 'a notification to 1,000 streams'],
  ['latency', 'the slowest hundredth of calls'],
  ['memory', 'an idle session with a stream'],
  ['start-up', 'the first answer of a process'],
];

/** Who is in the summary; of a subject in several ways, the cheapest counts. */
const COLUMNS: [head: string, ids: string[]][] = [
  ['nestjs-mcp, Express', [OURS]],
  ['nestjs-mcp, Fastify', [OURS_ON_FASTIFY]],
  ['bare `node:http`', [BARE_HTTP]],
  ['bare Nest, Express', [REFERENCE]],
  ['bare Nest, Fastify', [REFERENCE_ON_FASTIFY]],
  ['@rekog/mcp-nest', MCP_NEST],
  ['SDK v1', ['sdk-v1']],
  ['SDK v2', ['sdk-v2']],
  ['fastmcp', FASTMCP],
];

const ABSENT = '—';

/** Formats what stands on the page on performance: how many limits hold, and what the main things cost beside others. */
export function formatSummary(runs: BenchOutput[]): string {
  const measured = SUMMARISED.filter(([name]) => findWorkloads(runs, name).length > 0);
  const heads = ['', ...COLUMNS.map(([head]) => head), '1 ='];
  const lines = measured.map(([name, what]) => [what, ...formatCells(findWorkloads(runs, name))]);
  return [formatLimits(runs), formatTable([heads, ...lines])].join('\n\n');
}

function formatLimits(runs: BenchOutput[]): string {
  const [first] = runs;
  const verdicts = first?.verdicts ?? [];
  const passed = verdicts.filter(({ workload, text }) =>
    runs.every((run) =>
      run.verdicts.some(
        (verdict) => verdict.workload === workload && verdict.text === text && verdict.passed,
      ),
    ),
  );
  const machines = [...new Set(runs.map(({ machine }) => machine))].join('; ');
  const count = runs.length === 1 ? 'one run' : `${runs.length} runs`;
  const isQuick = runs.some(({ quick }) => quick);
  const caution = isQuick ? ' **A quick run: it says nothing of what anything costs.**' : '';
  return `${passed.length} of ${verdicts.length} [limits](performance-figures.md#limits) hold in ${count} on ${machines}.${caution}`;
}

function formatCells(workloads: WorkloadOutput[]): string[] {
  const cells = COLUMNS.map(([, ids]) => {
    const medians = ids.flatMap(
      (id) => joinEstimates(findRows(workloads, id).flatMap(({ ratio }) => ratio ?? []))?.median ?? [],
    );
    return medians.length === 0 ? ABSENT : Math.min(...medians).toFixed(2);
  });
  const [workload] = workloads;
  return [...cells, workload?.rows.find(({ id }) => id === workload.unit)?.subject ?? ABSENT];
}
