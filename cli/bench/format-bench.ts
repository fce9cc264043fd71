import { makeLine } from '../visible-text.js';
import type { Estimate } from './estimate.js';
import { formatMoreSeconds } from './format-more-seconds.js';
import { describeOverload } from './machine-load.js';
import type { BenchReport } from './measure-server.js';
import type { BenchRow } from './workloads/bench-row.js';

/** Above this share, the load itself limits the result, and a faster server would look the same. */
const BUSY_LOAD = 0.9;

/** Formats the measurements for a person. */
export function formatBench(report: BenchReport): string {
  const { url, server, machine, connections, rows, leftOut } = report;
  const subject = server === '' ? url : `${server}, ${url}`;
  return [
    `${subject}\n${machine}, ${connections} connection${connections === 1 ? '' : 's'}`,
    rows.length === 0 ? '' : formatRows(rows),
    leftOut.length === 0 ? '' : formatLeftOut(leftOut),
    listNotes(report).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Builds the output of `--json`: plain numbers, without the error that ended the run. */
export function buildBenchJson(report: BenchReport): object {
  const { failure: _, ...facts } = report;
  return { ...facts, notes: listNotes(report) };
}

const HEADS = [
  '',
  'per second',
  'p50 ms',
  'p99 ms',
  'baseline: per second',
  'p50 ms',
  'p99 ms',
  '× baseline [95 %]',
];

function formatRows(rows: readonly BenchRow[]): string {
  const lines = [HEADS, ...rows.map(formatRow)];
  const widths = HEADS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}

function formatRow({ workload, bare, ratio, ...server }: BenchRow): readonly string[] {
  const figures = [server, bare].flatMap(({ perSecond, p50Milliseconds, p99Milliseconds }) => [
    formatNumber(perSecond),
    formatNumber(p50Milliseconds),
    formatNumber(p99Milliseconds),
  ]);
  return [workload, ...figures, formatRatio(ratio.time)];
}

function formatRatio({ median, interval }: Estimate): string {
  const around = interval === undefined ? 'too few' : interval.map((bound) => bound.toFixed(2)).join('–');
  return `${median.toFixed(2)} [${around}]`;
}

/** Formats a number with three digits. */
function formatNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function formatLeftOut(leftOut: BenchReport['leftOut']): string {
  return [
    'Not measured:',
    ...leftOut.map(({ workload, why }) => `  ${makeLine(workload)}: ${makeLine(why)}`),
  ].join('\n');
}

/** Lists the factors that limit the results. */
function listNotes({ url, rows, seconds, keepsSessions, load }: BenchReport): readonly string[] {
  const overload = describeOverload(load);
  const notes = [
    [overload !== undefined, overload ?? ''],
    [
      rows.some(({ loadShare }) => loadShare > BUSY_LOAD),
      'The load occupies a whole core: the baseline may be faster than measured, so the ratios are lower bounds.',
    ],
    [
      rows.some(({ ratio }) => ratio.time.interval === undefined),
      `There were too few slices to estimate how precise a ratio is: ${formatMoreSeconds(seconds)}.`,
    ],
    [url.startsWith('https:'), 'The baseline uses plain HTTP, so the ratios include the cost of TLS.'],
    [
      keepsSessions,
      'The server does not let clients end sessions: the sessions that were opened remain until the server ends them.',
    ],
  ] as const;
  return notes.flatMap(([isTrue, note]) => (isTrue ? [note] : []));
}
