import { type WorkloadResult } from './measure.js';
import { findRatio, formatInterval, type Ratio } from './report.js';
import { OURS, PEERS, REFERENCE } from './subjects.js';
import { formatAgainId } from './workload.js';
import { formatManyId, JOSE, OUR_VALIDATION, PROTECTED } from './workloads.js';

/** What a row must cost at most, as a multiple of another row of the same workload. */
interface Limit {
  workload: string;
  text: string;
  row: string;
  /** The cheapest of these rows counts. */
  against: string[];
  atMost: number;
}

const WIRES = ['handshake', 'perRequest'];

const LIMITS: Limit[] = [
  ...WIRES.map((wire) => ({
    workload: `call-${wire}`,
    text: 'a call costs as much as a bare Nest Express controller',
    row: OURS,
    against: [REFERENCE],
    atMost: 1.15,
  })),
  ...WIRES.map((wire) => ({
    workload: `call-${wire}`,
    text: 'a call costs half of what it costs with @rekog/mcp-nest',
    row: OURS,
    against: PEERS,
    atMost: 0.5,
  })),
  ...WIRES.map((wire) => ({
    workload: `jwt-${wire}`,
    text: 'a call with a cached JWT costs as much as one without',
    row: PROTECTED,
    against: [OURS],
    atMost: 1.1,
  })),
  {
    workload: 'first-validation',
    text: "a JWT costs as much as with jose's jwtVerify when it is seen for the first time",
    row: OUR_VALIDATION,
    against: [JOSE],
    atMost: 1.3,
  },
  ...WIRES.map((wire) => ({
    workload: `call-many-${wire}`,
    text: 'a call costs the same with 1,000 tools as with 1',
    row: formatManyId(OURS),
    against: [OURS],
    atMost: 1.1,
  })),
  ...WIRES.map((wire) => ({
    workload: `list-${wire}`,
    text: 'a list of 100 tools costs as much as a bare controller that returns it',
    row: OURS,
    against: [REFERENCE],
    atMost: 1.3,
  })),
];

export interface Verdict {
  workload: string;
  text: string;
  atMost: number;
  ratio: Ratio | undefined;
  passed: boolean;
}

/**
 * Judges what was measured; limits of workloads that did not run are left out. A limit holds unless it is exceeded for
 * certain: when the lower bound of the ratio's interval is not above it.
 */
export function judge(results: WorkloadResult[]): Verdict[] {
  return LIMITS.flatMap(({ workload, text, row, against, atMost }) => {
    const result = results.find((candidate) => candidate.workload.name === workload);
    if (!result) return [];
    const ratios = against.flatMap((reference) => findRatio(result, row, reference) ?? []);
    const ratio = ratios.toSorted((left, right) => right.median - left.median)[0];
    return [{ workload, text, atMost, ratio, passed: ratio !== undefined && ratio.lower <= atMost }];
  });
}

export function formatVerdict({ workload, text, atMost, ratio, passed }: Verdict): string {
  return `${passed ? 'PASS' : 'FAIL'}  ${workload.padEnd(20)} ${formatRatio(ratio)} (at most ${atMost}): ${text}`;
}

/** Says how far rows were apart that measure the same: no smaller difference means anything. */
export function formatChance(result: WorkloadResult): string[] {
  const { name, unit } = result.workload;
  const ratio = findRatio(result, formatAgainId(unit), unit);
  return ratio ? [`A/A   ${name.padEnd(20)} ${formatRatio(ratio)}: the same twice`] : [];
}

function formatRatio(ratio: Ratio | undefined): string {
  return ratio ? `${ratio.median.toFixed(2)} [${formatInterval(ratio)}]` : 'not measured';
}
