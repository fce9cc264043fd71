import {
  type BenchOutput,
  type Estimate,
  type Kind as WorkloadKind,
  type RowOutput,
} from '../bench-output.js';
import { type BarChart, type BarGroup } from './bar-chart.js';
import { estimateCost, joinEstimates } from './join-estimates.js';
import { findRows, findWorkloads, listWorkloads } from './saved-run.js';
import { type Kind } from './style.js';

const REVISIONS = ['2025-11-25, in a session', '2026-07-28, each request on its own'];
const KIB = 1024;

/** How rows become bars that are ratios to the bare controller. */
const RATIOS = {
  estimate: ({ ratio }: RowOutput) => ratio,
  reference: { value: 1, label: '1 = bare Nest on Express' },
  axis: "processor time in units of the bare Nest controller's",
  formatValue: (value: number) => `${value.toFixed(2)} ×`,
};

type Measured = Pick<BarChart, 'axis' | 'formatValue' | 'reference'> & {
  estimate(row: RowOutput): Estimate | undefined;
};

/** Builds the plot of `tools/call`, in both revisions. */
export function buildCallChart(runs: BenchOutput[]): BarChart | undefined {
  return buildChart(runs, ['call-handshake', 'call-perRequest'], {
    ...RATIOS,
    title: 'What a call costs',
    subtitle: 'Processor time of tools/call. Less is better; whiskers are 95 % intervals.',
    series: REVISIONS,
  });
}

/** Builds the plot of `tools/list`, in both revisions. */
export function buildListChart(runs: BenchOutput[]): BarChart | undefined {
  return buildChart(runs, ['list-handshake', 'list-perRequest'], {
    ...RATIOS,
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
  return buildChart(
    runs,
    measured.map(({ workload }) => workload),
    {
      ...RATIOS,
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
  return buildChart(runs, workloads, {
    title: 'What an idle session keeps',
    subtitle: 'Memory of a session with an open stream. Less is better; whiskers are 95 % intervals.',
    series: [''],
    axis: 'KiB per session',
    formatValue: (value) => `${value.toFixed(1)} KiB`,
    estimate: (row) => scaleEstimate(estimateCost(row), 1 / KIB),
  });
}

/** Tells how a subject is coloured, by the id of its row. */
export function findKind(rowId: string): Kind {
  if (rowId.startsWith('bare-') || rowId === 'nest-without-mcp') return 'bare';
  return rowId.startsWith('nestjs-mcp') ? 'ours' : 'peer';
}

function buildChart(
  runs: BenchOutput[],
  names: string[],
  { estimate, ...chart }: Measured & Pick<BarChart, 'title' | 'subtitle' | 'series'>,
): BarChart | undefined {
  const byName = names.map((name) => findWorkloads(runs, name));
  const subjects = new Map(byName.flat().flatMap(({ rows }) => rows.map(({ id, subject }) => [id, subject])));
  const groups: BarGroup[] = [...subjects].flatMap(([id, label]) => {
    const bars = byName.map((workloads) =>
      joinEstimates(findRows(workloads, id).flatMap((row) => estimate(row) ?? [])),
    );
    return bars.every((bar) => bar === undefined) || id.endsWith('/again')
      ? []
      : [{ label, kind: findKind(id), bars }];
  });
  return groups.length === 0 ? undefined : { ...chart, groups };
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
