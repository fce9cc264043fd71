import type { BenchOutput, Estimate, Quantile, RowOutput, Verdict, WorkloadOutput } from './bench-output.js';
import { median } from './statistics.js';

const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';
const ABSENT = '—';

/** A table's cells, its heads first. */
export type Table = string[][];

/**
 * Formats what is written on the page of figures: the limits and whether they hold, how far measurements of the same were
 * apart, and every figure. Each run has columns of its own.
 */
export function formatReport(runs: BenchOutput[]): string {
  return [
    ...formatOrigin(runs),
    '## Limits',
    formatTable(buildVerdictTable(runs)),
    '## Chance',
    'Two measurements of the same, side by side: differences as small as these mean nothing.',
    formatTable(buildChanceTable(runs)),
    '## Every workload',
    `Absolute figures are those of the machine above${runs.length > 1 ? ', and the medians of the runs' : ''}.`,
    ...listNames(runs).flatMap((name) => formatFigures(runs, name)),
  ].join('\n\n');
}

/**
 * Puts text between the markers of a page, in the place of what is there.
 *
 * @throws Error if the page has no markers
 */
export function replaceReport(page: string, report: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`The page has no "${BEGIN}" with "${END}" behind it`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${report}\n\n${page.slice(end)}`;
}

function formatOrigin(runs: BenchOutput[]): string[] {
  const machines = [...new Set(runs.map(({ machine }) => machine))];
  const rounds = [...new Set(runs.map(({ plan }) => plan.load.rounds))];
  const count = runs.length === 1 ? 'One run' : `${runs.length} runs in a row`;
  const origin = `${count} of ${rounds.join(' and ')} slices for each row on ${machines.join('; ')}.`;
  const isQuick = runs.some(({ quick }) => quick);
  const caution =
    'A quick run on a busy machine, which says that the bench works and nothing of what anything costs.';
  return isQuick ? [`**${caution}**`, origin] : [origin];
}

function buildVerdictTable(runs: BenchOutput[]): Table {
  const [first] = runs;
  if (!first) return [];
  const heads = ['workload', 'limit', 'against', ...nameColumns(runs, 'measured [95 %]'), 'holds'];
  const lines = first.verdicts.map((verdict) => {
    const same = runs.map(({ verdicts }) => verdicts.find((candidate) => isSameLimit(candidate, verdict)));
    return [
      `\`${verdict.workload}\``,
      `${verdict.text}: ${formatLimit(verdict)}`,
      listAgainst(runs, same),
      ...same.map(formatMeasured),
      formatPasses(same),
    ];
  });
  return [heads, ...lines];
}

function buildChanceTable(runs: BenchOutput[]): Table {
  const names = listNames(runs).filter((name) => findEach(runs, name).some((workload) => workload?.chance));
  return [
    ['workload', ...nameColumns(runs, 'ratio [95 %]')],
    ...names.map((name) => [
      `\`${name}\``,
      ...findEach(runs, name).map((workload) => formatEstimate(workload?.chance)),
    ]),
  ];
}

function formatFigures(runs: BenchOutput[], name: string): string[] {
  const workloads = findEach(runs, name);
  const measured = workloads.find((workload) => workload !== undefined);
  if (!measured) return [];
  const heads = [
    'subject',
    measured.quantity.name,
    'p50 ms',
    'p99 ms',
    'p99.9 ms',
    'pause ms',
    'bytes',
    ...nameColumns(runs, 'ratio [95 %]'),
  ];
  const lines = measured.rows.map(({ id, subject }) => {
    const rows = workloads.map((workload) => workload?.rows.find((row) => row.id === id));
    return [
      subject,
      formatMedian(rows, 'cost', 1),
      formatMedian(rows, 'p50Milliseconds', 2),
      formatMedian(rows, 'p99Milliseconds', 2),
      formatMedian(rows, 'p999Milliseconds', 2),
      formatMedian(rows, 'pauseMilliseconds', 1),
      formatMedian(rows, 'bytes', 0),
      ...rows.map((row) => formatEstimate(row?.ratio)),
    ];
  });
  return [`### \`${name}\`: ${measured.title}`, formatTable(dropEmptyColumns([heads, ...lines]))];
}

/** Names a column of each run; that of a single run needs no number. */
function nameColumns(runs: BenchOutput[], name: string): string[] {
  return runs.length === 1 ? [name] : runs.map((_, index) => `run ${index + 1}: ${name}`);
}

function formatLimit({ measure, atMost, atLeast }: Verdict): string {
  if (measure === 'milliseconds') return `at most ${atMost} ms more`;
  if (measure === 'timesCheaper') return `at least ${atLeast} times cheaper`;
  return measure === 'ratio' ? `at most ${atMost} ×` : `at most ${atMost} ms`;
}

function formatMeasured(verdict: Verdict | undefined): string {
  return formatEstimate(verdict?.estimate, verdict?.measure === 'milliseconds' ? 0 : 2);
}

/** In several runs different rows may have come off best. */
function listAgainst(runs: BenchOutput[], verdicts: (Verdict | undefined)[]): string {
  const names = verdicts.flatMap((verdict) => {
    if (!verdict) return [];
    if (verdict.against === undefined) return [ABSENT];
    const rows = findEach(runs, verdict.workload).flatMap((workload) => workload?.rows ?? []);
    return rows.find(({ id }) => id === verdict.against)?.subject ?? verdict.against;
  });
  return [...new Set(names)].join('; ');
}

function formatPasses(verdicts: (Verdict | undefined)[]): string {
  const passes = verdicts.filter((verdict) => verdict?.passed).length;
  if (passes === verdicts.length) return 'PASS';
  return passes === 0 ? '**FAIL**' : `**FAIL**, ${passes} of ${verdicts.length} pass`;
}

function isSameLimit(left: Verdict, right: Verdict): boolean {
  return left.workload === right.workload && left.text === right.text;
}

function formatEstimate(estimate: Estimate | undefined, digits = 2): string {
  if (!estimate) return ABSENT;
  const [middle, lower, upper] = [estimate.median, estimate.lower, estimate.upper].map((value) =>
    value.toFixed(digits),
  );
  return `${middle} [${lower}–${upper}]`;
}

function formatMedian(
  rows: (RowOutput | undefined)[],
  key: 'cost' | 'bytes' | 'p999Milliseconds' | Quantile,
  digits: number,
): string {
  const values = rows.flatMap((row) => row?.[key] ?? []);
  return values.length === 0 ? ABSENT : median(values).toFixed(digits);
}

function listNames(runs: BenchOutput[]): string[] {
  return [...new Set(runs.flatMap(({ workloads }) => workloads.map(({ workload }) => workload)))];
}

function findEach(runs: BenchOutput[], name: string): (WorkloadOutput | undefined)[] {
  return runs.map(({ workloads }) => workloads.find(({ workload }) => workload === name));
}

function dropEmptyColumns(table: Table): Table {
  const isFilled = (column: number): boolean => table.slice(1).some((cells) => cells[column] !== ABSENT);
  return table.map((cells) => cells.filter((_, column) => isFilled(column)));
}

/** Formats a table, its heads first. */
export function formatTable([heads = [], ...lines]: Table): string {
  const separator = heads.map(() => '---');
  return [heads, separator, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
