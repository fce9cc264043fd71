import { LIMITS } from './acceptance.js';
import type { Estimate, Measure, Quantile, Verdict } from './bench-output.js';
import type { Limit } from './limit.js';
import type { WorkloadResult } from './measure.js';
import { findChance, findDifference, findFigure, findRatio, formatInterval } from './report.js';

/**
 * Judges what was measured; limits of workloads that did not run are left out. A limit holds unless it is exceeded for
 * certain: when the interval's better bound is not beyond it.
 */
export function judge(results: WorkloadResult[]): Verdict[] {
  return LIMITS.flatMap((limit) => {
    const result = results.find((candidate) => candidate.workload.name === limit.workload);
    return result ? [judgeLimit(limit, result)] : [];
  });
}

export function formatVerdict(verdict: Verdict): string {
  const { workload, text, measure, limit, estimate, passed } = withLimit(verdict);
  const { unit, digits } = FORMATS[measure];
  const figure = estimate
    ? `${estimate.median.toFixed(digits)} [${formatInterval(estimate, digits)}]${unit}`
    : 'not measured';
  return `${passed ? 'PASS' : 'FAIL'}  ${workload.padEnd(20)} ${figure} (${limit}${unit}): ${text}`;
}

/** Says how far rows were apart that measure the same: no smaller difference means anything. */
export function formatChance(result: WorkloadResult): string[] {
  const chance = findChance(result);
  if (!chance) return [];
  const figure = `${chance.median.toFixed(2)} [${formatInterval(chance)}]`;
  return [`A/A   ${result.workload.name.padEnd(20)} ${figure}: the same twice`];
}

const FORMATS: Record<Measure, { unit: string; digits: number }> = {
  ratio: { unit: '', digits: 2 },
  timesCheaper: { unit: ' ×', digits: 2 },
  milliseconds: { unit: ' ms', digits: 0 },
  bytes: { unit: ' bytes', digits: 0 },
  p50Milliseconds: { unit: ' ms', digits: 2 },
  p99Milliseconds: { unit: ' ms', digits: 2 },
  pauseMilliseconds: { unit: ' ms', digits: 0 },
};

function judgeLimit(given: Limit, result: WorkloadResult): Verdict {
  const { workload, text, row, measure, limit } = given;
  const found: Pick<Verdict, 'against' | 'estimate' | 'ratio'> = isQuantile(measure)
    ? readQuantile(result, row, measure)
    : compareWorst(given, measure, result);
  const { estimate } = found;
  const isAtLeast = measure === 'timesCheaper';
  return {
    workload,
    text,
    row,
    measure,
    ...(isAtLeast ? { atLeast: limit } : { atMost: limit }),
    ...found,
    passed: estimate !== undefined && (isAtLeast ? estimate.upper >= limit : estimate.lower <= limit),
  };
}

function readQuantile(result: WorkloadResult, row: string, measure: Quantile): Pick<Verdict, 'estimate'> {
  const estimate = findFigure(result, row, measure);
  return estimate === undefined ? {} : { estimate };
}

/** What a row came to against the one of several that came off best. */
function compareWorst(
  { row, against }: Limit,
  measure: Exclude<Measure, Quantile>,
  result: WorkloadResult,
): Pick<Verdict, 'against' | 'estimate' | 'ratio'> {
  const able = against.filter((id) => result.rows.some((other) => other.row.id === id && other.row.start));
  const compared = able.map((id) => ({
    against: id,
    estimate: findEstimate(result, measure, [row, id]),
    ratio: findRatio(result, row, id),
  }));
  const isComplete = compared.length > 0 && compared.every((pair) => pair.estimate !== undefined);
  const worst = isComplete
    ? compared.toSorted((left, right) => (right.ratio?.median ?? 0) - (left.ratio?.median ?? 0))[0]
    : undefined;
  return {
    against: worst?.against ?? able.join(),
    ...(worst?.estimate && { estimate: worst.estimate }),
    ...(worst?.ratio && { ratio: worst.ratio }),
  };
}

function isQuantile(measure: Measure): measure is Quantile {
  return measure === 'p50Milliseconds' || measure === 'p99Milliseconds' || measure === 'pauseMilliseconds';
}

function findEstimate(
  result: WorkloadResult,
  measure: Exclude<Measure, Quantile>,
  [row, against]: [string, string],
): Estimate | undefined {
  if (measure === 'milliseconds' || measure === 'bytes') return findDifference(result, row, against);
  return measure === 'ratio' ? findRatio(result, row, against) : findRatio(result, against, row);
}

function withLimit(verdict: Verdict): Omit<Verdict, 'atMost'> & { limit: string } {
  const { atMost, atLeast } = verdict;
  return { ...verdict, limit: atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}` };
}
