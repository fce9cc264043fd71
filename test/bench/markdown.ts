import type { BenchOutput, Estimate, Quantile, RowOutput, Verdict, WorkloadOutput } from './bench-output.js';
import { joinEstimates } from './plots/join-estimates.js';
import { median } from './statistics.js';

const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';
const ABSENT = '—';

/** A table's cells, its heads first. */
export type Table = string[][];

/**
 * Formats the page of figures: the limits and whether they hold, how far two measurements of one server differ, and the figures of
 * every workload. Several runs share a column: the middle median, with an interval that covers those of all runs.
 */
export function formatReport(runs: BenchOutput[]): string {
  return [
    ...formatOrigin(runs),
    '## Limits',
    formatTable(buildVerdictTable(runs)),
    '## Chance',
    ...formatChance(runs),
    '## Workloads',
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
  const lines = first.verdicts.map((verdict) => {
    const same = runs.map(({ verdicts }) => verdicts.find((candidate) => isSameLimit(candidate, verdict)));
    return [
      `\`${verdict.workload}\``,
      `${verdict.text}: ${formatLimit(verdict)}`,
      formatJoined(
        same.map((one) => one?.estimate),
        verdict.measure === 'milliseconds' ? 0 : 2,
      ),
      formatPasses(same),
    ];
  });
  return [['workload', 'limit', 'measured [95 %]', 'holds'], ...lines];
}

/** Reports the workload whose second measurement of the reference differs most. */
function formatChance(runs: BenchOutput[]): string[] {
  const chances = listNames(runs).flatMap((name) => {
    const joined = joinEstimates(findEach(runs, name).flatMap((workload) => workload?.chance ?? []));
    return joined === undefined ? [] : [{ name, apart: Math.abs(joined.median - 1) }];
  });
  const [most] = chances.toSorted((one, other) => other.apart - one.apart);
  if (most === undefined) return [];
  return [
    `Each reference is measured twice. The two measurements differ most in \`${most.name}\`, by ${(most.apart * 100).toFixed(0)} %: smaller differences mean nothing.`,
  ];
}

function formatFigures(runs: BenchOutput[], name: string): string[] {
  const workloads = findEach(runs, name);
  const measured = workloads.find((workload) => workload !== undefined);
  if (!measured) return [];
  const heads = ['subject', measured.quantity.name, 'p50 ms', 'p99 ms', 'pause ms', 'ratio [95 %]'];
  const lines = measured.rows.flatMap(({ id, subject }) => {
    const rows = workloads.map((workload) => workload?.rows.find((row) => row.id === id));
    if (id.endsWith('/again') || rows.every((row) => row?.cost === undefined)) return [];
    return [
      [
        subject,
        formatMedian(rows, 'cost', 1),
        formatMedian(rows, 'p50Milliseconds', 2),
        formatMedian(rows, 'p99Milliseconds', 2),
        formatMedian(rows, 'pauseMilliseconds', 1),
        id === measured.unit ? '1.00' : formatJoined(rows.map((row) => row?.ratio)),
      ],
    ];
  });
  return [`### \`${name}\`: ${measured.title}`, formatTable(dropEmptyColumns([heads, ...lines]))];
}

function formatLimit({ measure, atMost, atLeast }: Verdict): string {
  if (measure === 'milliseconds') return `at most ${atMost} ms more`;
  if (measure === 'timesCheaper') return `at least ${atLeast} times cheaper`;
  return measure === 'ratio' ? `at most ${atMost} ×` : `at most ${atMost} ms`;
}

function formatPasses(verdicts: (Verdict | undefined)[]): string {
  const passes = verdicts.filter((verdict) => verdict?.passed).length;
  if (passes === verdicts.length) return 'PASS';
  return passes === 0 ? '**FAIL**' : `**FAIL**, ${passes} of ${verdicts.length} pass`;
}

function isSameLimit(left: Verdict, right: Verdict): boolean {
  return left.workload === right.workload && left.text === right.text;
}

function formatJoined(estimates: (Estimate | undefined)[], digits = 2): string {
  const joined = joinEstimates(estimates.filter((estimate) => estimate !== undefined));
  if (!joined) return ABSENT;
  const [middle, lower, upper] = [joined.median, joined.lower, joined.upper].map((value) =>
    value.toFixed(digits),
  );
  return `${middle} [${lower}–${upper}]`;
}

function formatMedian(rows: (RowOutput | undefined)[], key: 'cost' | Quantile, digits: number): string {
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
