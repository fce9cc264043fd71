import type { Estimate, Quantile, Quantity, RowOutput, WorkloadOutput } from './bench-output.js';
import type { WorkloadResult } from './measure.js';
import { findMedianInterval, median, type Sample } from './statistics.js';
import { formatAgainId } from './workload.js';

/** What a row came to, without what it is called. */
export type Summary = Required<Pick<RowOutput, 'cost' | 'costSlices'>> &
  Omit<RowOutput, 'id' | 'subject' | 'failure'>;

const ABSENT = '—';

export function findSummary(result: WorkloadResult, rowId: string): Summary | undefined {
  const samples = findSamples(result, rowId);
  if (samples.length === 0) return undefined;
  const { quantity, unit } = result.workload;
  const cost = median(samples.map((sample) => sample.cost));
  const costSlices = samples.map((sample) => sample.cost);
  return {
    cost,
    costSlices,
    ...(quantity.unit === 'µs' && { cpuMicroseconds: cost, cpuSlices: costSlices }),
    ...pickMedian(samples, 'perSecond'),
    ...pickMedian(samples, 'p50Milliseconds'),
    ...pickMedian(samples, 'p99Milliseconds'),
    ...pickMedian(samples, 'p999Milliseconds'),
    ...pickMedian(samples, 'pauseMilliseconds'),
    ...pickMedian(samples, 'bytes'),
    ...pickMedian(samples, 'residentBytes'),
    ...given('ratio', findRatio(result, rowId, unit)),
    ...given('difference', findDifference(result, rowId, unit)),
  };
}

/** Gives the median over the rounds of the quotient of two rows' costs in the same round. */
export function findRatio(result: WorkloadResult, rowId: string, againstId: string): Estimate | undefined {
  return compare(result, [rowId, againstId], (cost, reference) => cost / reference);
}

/** Gives the median over the rounds of the difference of two rows' costs in the same round. */
export function findDifference(
  result: WorkloadResult,
  rowId: string,
  againstId: string,
): Estimate | undefined {
  return compare(result, [rowId, againstId], (cost, reference) => cost - reference);
}

/** Gives the median over the rounds of a figure of a row. */
export function findFigure(result: WorkloadResult, rowId: string, key: Quantile): Estimate | undefined {
  return estimate(findSamples(result, rowId).flatMap((sample) => sample[key] ?? []));
}

/** Gives how far two measurements of the same were apart. */
export function findChance(result: WorkloadResult): Estimate | undefined {
  const { unit } = result.workload;
  return findRatio(result, formatAgainId(unit), unit);
}

export function formatTable(result: WorkloadResult): string {
  const summaries = result.rows.map(({ row }) => findSummary(result, row.id));
  const columns = listColumns(result.workload.quantity, summaries);
  const lines = [
    columns.map(({ head }) => head),
    ...result.rows.map(({ row }, index) => formatRow(row.label, summaries[index], columns)),
  ];
  const widths = columns.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const formatted = lines.map((cells) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
  const failures = result.rows.flatMap(({ row, failure }) =>
    failure === undefined ? [] : [`${row.label} failed: ${failure}`],
  );
  return [`## ${result.workload.title}`, '', ...formatted, ...failures].join('\n');
}

/** KeyedMutex the results into plain objects, for `--json`. */
export function toPlain(results: WorkloadResult[]): WorkloadOutput[] {
  return results.map((result) => {
    const { name, title, kind, quantity, unit } = result.workload;
    return {
      workload: name,
      title,
      kind,
      quantity,
      unit,
      ...given('chance', findChance(result)),
      rows: result.rows.map(({ row, failure }) => ({
        id: row.id,
        subject: row.label,
        ...findSummary(result, row.id),
        ...given('failure', failure),
      })),
    };
  });
}

/** Formats what a figure lies between. */
export function formatInterval({ lower, upper }: Estimate, digits = 2): string {
  return `${lower.toFixed(digits)}–${upper.toFixed(digits)}`;
}

interface Column {
  head: string;
  format(summary: Summary): string;
}

/** Lists the columns of a workload's table; those that no row fills are left out. */
function listColumns(quantity: Quantity, summaries: (Summary | undefined)[]): Column[] {
  const columns: Column[] = [
    { head: 'subject', format: () => '' },
    { head: quantity.name, format: ({ cost }) => formatCost(cost) },
    { head: 'slices', format: ({ costSlices }) => formatRange(costSlices) },
    { head: 'req/s', format: ({ perSecond }) => formatNumber(perSecond, 0) },
    { head: 'p50 ms', format: ({ p50Milliseconds }) => formatNumber(p50Milliseconds, 2) },
    { head: 'p99 ms', format: ({ p99Milliseconds }) => formatNumber(p99Milliseconds, 2) },
    { head: 'p99.9 ms', format: ({ p999Milliseconds }) => formatNumber(p999Milliseconds, 2) },
    { head: 'pause ms', format: ({ pauseMilliseconds }) => formatNumber(pauseMilliseconds, 1) },
    { head: 'bytes', format: ({ bytes }) => formatNumber(bytes, 0) },
    { head: 'RSS bytes', format: ({ residentBytes }) => formatNumber(residentBytes, 0) },
    { head: 'ratio', format: ({ ratio }) => formatNumber(ratio?.median, 2) },
    { head: '95 %', format: ({ ratio }) => (ratio ? formatInterval(ratio) : ABSENT) },
    ...(quantity.unit === 'ms' ? DIFFERENCE_COLUMNS : []),
  ];
  return columns.filter(({ format }) =>
    summaries.some((summary) => summary !== undefined && format(summary) !== ABSENT),
  );
}

const DIFFERENCE_COLUMNS: Column[] = [
  { head: 'more ms', format: ({ difference }) => formatNumber(difference?.median, 0) },
  { head: '95 %', format: ({ difference }) => (difference ? formatInterval(difference, 0) : ABSENT) },
];

function formatRow(label: string, summary: Summary | undefined, columns: Column[]): string[] {
  return [label, ...columns.slice(1).map(({ format }) => (summary ? format(summary) : ABSENT))];
}

/** Relates one row to another, by the slices that were measured in the same round. */
function compare(
  result: WorkloadResult,
  [rowId, againstId]: [string, string],
  relate: (cost: number, reference: number) => number,
): Estimate | undefined {
  const against = findSamples(result, againstId);
  const values = findSamples(result, rowId).flatMap(({ cost }, round) => {
    const sample = against[round];
    return sample ? [relate(cost, sample.cost)] : [];
  });
  return estimate(values);
}

function estimate(values: number[]): Estimate | undefined {
  return values.length === 0 ? undefined : { median: median(values), ...findMedianInterval(values) };
}

function findSamples(result: WorkloadResult, rowId: string): Sample[] {
  return result.rows.find(({ row }) => row.id === rowId)?.samples ?? [];
}

function pickMedian<Key extends Exclude<keyof Sample, 'cost'>>(
  samples: Sample[],
  key: Key,
): { [key in Key]?: number } {
  const values = samples.flatMap((sample) => sample[key] ?? []);
  return values.length === 0 ? {} : given(key, median(values));
}

function given<Key extends string, Value>(key: Key, value: Value | undefined): { [key in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { [key in Key]?: Value };
}

function formatRange(slices: number[]): string {
  return `${formatCost(Math.min(...slices))}–${formatCost(Math.max(...slices))}`;
}

function formatCost(value: number): string {
  return value.toFixed(Math.abs(value) < 100 ? 1 : 0);
}

function formatNumber(value: number | undefined, digits: number): string {
  return value === undefined ? ABSENT : value.toFixed(digits);
}
