import { type RowResult, type WorkloadResult } from './measure.js';
import { findMedianInterval, type Interval, median, type Sample } from './statistics.js';

export interface Summary {
  cpuMicroseconds: number;
  /** The same of each slice, in the order they were measured. */
  cpuSlices: number[];
  perSecond: number;
  p50Milliseconds: number;
  p99Milliseconds: number;
  bytes: number;
  /** Processor time in units of that of the workload's row `unit`. */
  ratio: Ratio | undefined;
}

/** How one row's processor time relates to another's. */
export interface Ratio extends Interval {
  /** The median over the rounds of the quotient of both in the same round; the interval is that of this median. */
  median: number;
}

const COLUMNS = [
  'subject',
  'CPU µs/request',
  'slices',
  'req/s',
  'p50 ms',
  'p99 ms',
  'bytes',
  'ratio',
  '95 %',
];
const ABSENT = '—';

export function findSummary(result: WorkloadResult, rowId: string): Summary | undefined {
  const row = result.rows.find((candidate) => candidate.row.id === rowId);
  if (!row || row.samples.length === 0) return undefined;
  const pick = (key: keyof Sample): number => median(row.samples.map((sample) => sample[key]));
  return {
    cpuMicroseconds: pick('cpuMicroseconds'),
    cpuSlices: row.samples.map(({ cpuMicroseconds }) => cpuMicroseconds),
    perSecond: pick('perSecond'),
    p50Milliseconds: pick('p50Milliseconds'),
    p99Milliseconds: pick('p99Milliseconds'),
    bytes: pick('bytes'),
    ratio: findRatio(result, rowId, result.workload.unit),
  };
}

/** Relates one row to another, by the slices that were measured in the same round. */
export function findRatio(result: WorkloadResult, rowId: string, referenceId: string): Ratio | undefined {
  const samples = (id: string): Sample[] => result.rows.find(({ row }) => row.id === id)?.samples ?? [];
  const reference = samples(referenceId);
  const ratios = samples(rowId).flatMap(({ cpuMicroseconds }, round) => {
    const sample = reference[round];
    return sample ? [cpuMicroseconds / sample.cpuMicroseconds] : [];
  });
  return ratios.length === 0 ? undefined : { median: median(ratios), ...findMedianInterval(ratios) };
}

export function formatTable(result: WorkloadResult): string {
  const lines = [COLUMNS, ...result.rows.map((row) => formatRow(result, row))];
  const widths = COLUMNS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
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

/** Turns the results into plain objects, for `--json`. */
export function toPlain(results: WorkloadResult[]): object[] {
  return results.map((result) => ({
    workload: result.workload.name,
    title: result.workload.title,
    rows: result.rows.map(({ row, failure }) => ({
      id: row.id,
      subject: row.label,
      ...findSummary(result, row.id),
      ...(failure === undefined ? {} : { failure }),
    })),
  }));
}

function formatRow(result: WorkloadResult, { row }: RowResult): string[] {
  const summary = findSummary(result, row.id);
  if (!summary) return [row.label, ...COLUMNS.slice(1).map(() => ABSENT)];
  const [smallest, largest] = [Math.min(...summary.cpuSlices), Math.max(...summary.cpuSlices)];
  return [
    row.label,
    formatMicroseconds(summary.cpuMicroseconds),
    `${formatMicroseconds(smallest)}–${formatMicroseconds(largest)}`,
    summary.perSecond.toFixed(0),
    summary.p50Milliseconds.toFixed(2),
    summary.p99Milliseconds.toFixed(2),
    Number.isNaN(summary.bytes) ? ABSENT : String(summary.bytes),
    summary.ratio ? summary.ratio.median.toFixed(2) : ABSENT,
    summary.ratio ? formatInterval(summary.ratio) : ABSENT,
  ];
}

/** Formats what a ratio lies between. */
export function formatInterval({ lower, upper }: Interval): string {
  return `${lower.toFixed(2)}–${upper.toFixed(2)}`;
}

function formatMicroseconds(value: number): string {
  return value < 100 ? value.toFixed(1) : value.toFixed(0);
}
