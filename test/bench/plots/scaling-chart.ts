import { type BenchOutput, type RowOutput } from '../bench-output.js';
import { findKind } from './charts.js';
import { joinEstimates } from './join-estimates.js';
import { type Line, type LineChart, type Panel } from './line-chart.js';
import { findRows, findWorkloads, listWorkloads } from './saved-run.js';

/** Below this a panel shows no course. */
const FEWEST_POINTS = 3;

/** The id of a row says of how many it is measured, the row without a number is that of one. */
const NUMBERED = /^(.+)\/(\d+)$/;

/** What is counted, by a word in the workload's name. */
const COUNTED = ['tools', 'sessions', 'resources', 'streams'];

/** Builds the plot of how cost grows with the number of what is there: a panel for each workload that counts. */
export function buildScalingChart(runs: BenchOutput[]): LineChart | undefined {
  const panels = listWorkloads(runs).flatMap((name) => buildPanel(runs, name) ?? []);
  if (panels.length === 0) return undefined;
  return {
    title: 'How cost grows',
    subtitle: 'Processor time per request, against the fewest. Flat is better; whiskers are 95 % intervals.',
    panels,
    reference: { value: 1, label: '1' },
    formatValue: (value) => `${Number(value.toFixed(2))} ×`,
  };
}

function buildPanel(runs: BenchOutput[], name: string): Panel | undefined {
  const workloads = findWorkloads(runs, name);
  const lines = listSubjects(workloads.flatMap(({ rows }) => rows)).flatMap((subject): Line[] => {
    const points = listCounts(
      workloads.flatMap(({ rows }) => rows),
      subject,
    ).flatMap(({ id, count }) => {
      const estimate = joinEstimates(findRows(workloads, id).flatMap(({ ratio }) => ratio ?? []));
      return estimate ? [{ count, estimate }] : [];
    });
    return points.length < FEWEST_POINTS ? [] : [{ label: subject, kind: findKind(subject), points }];
  });
  if (lines.length === 0) return undefined;
  const counted = COUNTED.find((word) => name.includes(word)) ?? name;
  return { label: workloads[0]?.title ?? name, axis: counted, lines };
}

function listSubjects(rows: RowOutput[]): string[] {
  return [...new Set(rows.flatMap(({ id }) => NUMBERED.exec(id)?.[1] ?? []))];
}

function listCounts(rows: RowOutput[], subject: string): { id: string; count: number }[] {
  const counts = new Map(
    rows.flatMap(({ id }) => {
      if (id === subject) return [[id, 1] as const];
      const [, of, count] = NUMBERED.exec(id) ?? [];
      return of === subject ? [[id, Number(count)] as const] : [];
    }),
  );
  return [...counts]
    .map(([id, count]) => ({ id, count }))
    .toSorted((left, right) => left.count - right.count);
}
