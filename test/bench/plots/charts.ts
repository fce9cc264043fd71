import type { BenchOutput, Estimate, Kind as WorkloadKind, RowOutput } from '../bench-output.js';
import type { BarChart, BarGroup } from './bar-chart.js';
import { estimateCost, joinEstimates } from './join-estimates.js';
import { findRows, findWorkloads, listWorkloads } from './saved-run.js';
import type { Kind } from './style.js';

const REVISIONS = ['2025-11-25, in a session', '2026-07-28, each request on its own'];
const KIB = 1024;

/** What a request is held against itself by: among many of something, and among few. */
const GROWTH: [request: string, counted: string, workloads: string[]][] = [
  ['call', 'tools', ['call-many-handshake', 'call-many-perRequest']],
  ['call', 'sessions', ['call-sessions']],
  ['call', 'resources', ['call-resources-handshake', 'call-resources-perRequest']],
  ['read', 'resources', ['read-resources-handshake', 'read-resources-perRequest']],
];

/** The id of a row that has many of something ends with their number. */
const MANY = /\/(\d+)$/;

type Heading = Pick<BarChart, 'title' | 'subtitle' | 'series'>;

/** Builds the plot of `tools/call`, in both revisions. */
export function buildCallChart(runs: BenchOutput[]): BarChart | undefined {
  return buildRatioChart(runs, ['call-handshake', 'call-perRequest'], {
    title: 'What a call costs',
    subtitle: 'Processor time of tools/call. Less is better; whiskers are 95 % intervals.',
    series: REVISIONS,
  });
}

/** Builds the plot of `tools/list`, in both revisions. */
export function buildListChart(runs: BenchOutput[]): BarChart | undefined {
  return buildRatioChart(runs, ['list-handshake', 'list-perRequest'], {
    title: 'What a list of 100 tools costs',
    subtitle: 'Processor time of tools/list. Less is better; whiskers are 95 % intervals.',
    series: REVISIONS,
  });
}

/** Builds the plot of notifications to open streams, a series for each number of them. */
export function buildFanOutChart(runs: BenchOutput[]): BarChart | undefined {
  const kinds: ('fanOut' | 'wideFanOut')[] = ['fanOut', 'wideFanOut'];
  const measured = kinds.flatMap((kind) => {
    const [workload] = listOfKind(runs, kind);
    const streams = runs[0]?.plan[kind]?.streams;
    return workload === undefined || streams === undefined ? [] : [{ workload, streams }];
  });
  return buildRatioChart(
    runs,
    measured.map(({ workload }) => workload),
    {
      title: 'What a notification costs',
      subtitle:
        'Processor time for each stream that it goes to. Less is better; whiskers are 95 % intervals.',
      series: measured.map(({ streams }) => `${streams.toLocaleString('en-GB')} streams`),
    },
  );
}

/** Builds the plot of what sessions hold while nothing happens in them. */
export function buildMemoryChart(runs: BenchOutput[]): BarChart | undefined {
  const workloads = listOfKind(runs, 'memory').slice(0, 1);
  const groups = buildGroups(runs, workloads, (row) => scaleEstimate(estimateCost(row), 1 / KIB));
  if (groups.length === 0) return undefined;
  return {
    title: 'What an idle session keeps',
    subtitle: 'Memory of a session with an open stream. Less is better; whiskers are 95 % intervals.',
    series: [''],
    groups,
    axis: 'KiB per session',
    formatValue: (value) => `${value.toFixed(1)} KiB`,
  };
}

/** Builds the plot of what a request costs more among many tools, sessions and resources. */
export function buildScalingChart(runs: BenchOutput[]): BarChart | undefined {
  const groups = GROWTH.flatMap(([request, counted, names]): BarGroup[] => {
    const rows = names.map((name) =>
      findWorkloads(runs, name).flatMap((workload) => workload.rows.filter(({ id }) => MANY.test(id))),
    );
    const bars = rows.map((many) => joinEstimates(many.flatMap(({ ratio }) => ratio ?? [])));
    const count = Number(MANY.exec(rows.flat()[0]?.id ?? '')?.[1]).toLocaleString('en-GB');
    const isLeftOut = bars.every((bar) => bar === undefined);
    return isLeftOut ? [] : [{ label: `${request}, ${count} ${counted}`, kind: 'ours', bars }];
  });
  if (groups.length === 0) return undefined;
  return {
    title: 'How cost grows',
    subtitle: 'Processor time of a request to nestjs-mcp on Express. Whiskers are 95 % intervals.',
    series: REVISIONS,
    groups,
    reference: { value: 1, label: '1 = the same among few' },
    axis: 'processor time in units of that among few',
    formatValue: formatRatio,
  };
}

/** Tells how a subject is colored, by the id of its row. */
function findKind(rowId: string): Kind {
  if (rowId.startsWith('bare-')) return 'bare';
  return rowId.startsWith('nestjs-mcp') ? 'ours' : 'peer';
}

/** Builds a plot of ratios to the row that is the unit of its workloads. */
function buildRatioChart(runs: BenchOutput[], names: string[], heading: Heading): BarChart | undefined {
  const groups = buildGroups(runs, names, ({ ratio }) => ratio);
  if (groups.length === 0) return undefined;
  const [workload] = names.flatMap((name) => findWorkloads(runs, name));
  const reference = workload?.rows.find(({ id }) => id === workload.unit)?.subject ?? '';
  return {
    ...heading,
    groups,
    reference: { value: 1, label: `1 = ${reference}` },
    axis: `processor time in units of that of ${reference}`,
    formatValue: formatRatio,
  };
}

/** Builds a group for each subject that was measured, with a bar for each workload. */
function buildGroups(
  runs: BenchOutput[],
  names: string[],
  estimate: (row: RowOutput) => Estimate | undefined,
): BarGroup[] {
  const byName = names.map((name) => findWorkloads(runs, name));
  const subjects = new Map(byName.flat().flatMap(({ rows }) => rows.map(({ id, subject }) => [id, subject])));
  return [...subjects].flatMap(([id, label]) => {
    const bars = byName.map((workloads) =>
      joinEstimates(findRows(workloads, id).flatMap((row) => estimate(row) ?? [])),
    );
    const isLeftOut = id.endsWith('/again') || bars.every((bar) => bar === undefined);
    return isLeftOut ? [] : [{ label, kind: findKind(id), bars }];
  });
}

function formatRatio(value: number): string {
  return `${value.toFixed(2)} ×`;
}

function listOfKind(runs: BenchOutput[], kind: WorkloadKind): string[] {
  return listWorkloads(
    runs.map((run) => ({ ...run, workloads: run.workloads.filter((workload) => workload.kind === kind) })),
  );
}

function scaleEstimate(estimate: Estimate | undefined, factor: number): Estimate | undefined {
  return (
    estimate && {
      median: estimate.median * factor,
      lower: estimate.lower * factor,
      upper: estimate.upper * factor,
    }
  );
}
