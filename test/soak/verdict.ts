import { median } from '../bench/statistics.js';
import type { Remains, Usage } from './server-process.js';
import type { Tally } from './tally.js';

/** What the server used at a time of the run. */
export interface Sample extends Usage {
  /** Seconds since the load began. */
  readonly second: number;
}

/** All that a run has shown. */
export interface Findings {
  /** At equal load, after the warm-up. */
  readonly samples: readonly Sample[];
  readonly before: Usage;
  readonly drained: Usage;
  readonly remains: Remains;
  readonly exitCode: number | null | undefined;
  readonly tally: Tally;
  readonly flatPercent: number;
}

/** Whether something holds that has to hold. */
export interface Criterion {
  readonly holds: boolean;
  readonly text: string;
}

const MEGABYTE = 1_048_576;
/** What a process keeps of memory that it has freed. */
const RSS_PERCENT = 10;
/** A run whose halves do not bear the same says nothing of what they use. */
const LOAD_PERCENT = 10;
/** What a server keeps warm when all are gone: compiled code, pools, and caches up to their bounds. */
const DRAINED_BYTES = 12 * MEGABYTE;
const LATE_PERCENT = 1;
const CLOSE_MS = 10_000;

/** Says for each bound whether it was kept. */
export function judge(findings: Findings): Criterion[] {
  return [
    judgeAnswers(findings.tally),
    ...judgeLoad(findings),
    ...judgeDrain(findings),
    ...judgeEnd(findings),
  ];
}

/** What the heap grew by in a minute, by least squares. */
export function findSlope(samples: readonly Sample[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const seconds = mean(samples.map(({ second }) => second));
  const bytes = mean(samples.map(({ heapBytes }) => heapBytes));
  const covariance = mean(samples.map((sample) => (sample.second - seconds) * (sample.heapBytes - bytes)));
  const variance = mean(samples.map(({ second }) => (second - seconds) ** 2));
  return (60 * covariance) / variance;
}

function judgeAnswers({ counts, total }: Tally): Criterion {
  const { answered, refused, gone, wrong, late } = counts;
  return {
    holds: wrong === 0 && late * 100 <= total * LATE_PERCENT && answered > 0,
    text: `no wrong answer, at most ${LATE_PERCENT} % late: ${answered} answered, ${refused} refused as they should be, ${gone} met a session that had ended, ${wrong} wrong, ${late} late`,
  };
}

function judgeLoad({ samples, flatPercent }: Findings): Criterion[] {
  const heap = compareThirds(samples, ({ heapBytes }) => heapBytes);
  const rss = compareThirds(samples, ({ rssBytes }) => rssBytes);
  const sessions = compareThirds(samples, (sample) => sample.sessions);
  const loadPercent = Math.max(LOAD_PERCENT, flatPercent);
  const slope = (findSlope(samples) / MEGABYTE).toFixed(2);
  return [
    {
      holds: Math.abs(sessions.percent) <= loadPercent,
      text: `equal load, within ${loadPercent} %: ${sessions.first} → ${sessions.last} sessions (${formatPercent(sessions.percent)})`,
    },
    {
      holds: heap.percent <= flatPercent,
      text: `heap after collection flat within ${flatPercent} %, median of the first third → of the last: ${formatMegabytes(heap.first)} → ${formatMegabytes(heap.last)} (${formatPercent(heap.percent)}; slope ${slope} MB/min)`,
    },
    {
      holds: rss.percent <= RSS_PERCENT,
      text: `resident memory flat within ${RSS_PERCENT} %, by the same medians: ${formatMegabytes(rss.first)} → ${formatMegabytes(rss.last)} (${formatPercent(rss.percent)})`,
    },
  ];
}

function judgeDrain({ before, drained }: Findings): Criterion[] {
  const grown = drained.heapBytes - before.heapBytes;
  return [
    { holds: drained.sessions === 0, text: `no session is left when all are gone: ${drained.sessions}` },
    {
      holds: grown <= DRAINED_BYTES,
      text: `heap when all are gone, at most ${formatMegabytes(DRAINED_BYTES)} above that before: ${formatMegabytes(before.heapBytes)} → ${formatMegabytes(drained.heapBytes)}`,
    },
  ];
}

function judgeEnd({ remains, exitCode }: Findings): Criterion[] {
  const { resources, intervals, closeMs } = remains;
  const left = resources.length === 0 ? 'none' : resources.join(', ');
  return [
    {
      holds: closeMs <= CLOSE_MS,
      text: `app.close() takes at most ${CLOSE_MS} ms: ${closeMs.toFixed(0)} ms`,
    },
    {
      holds: resources.length === 0 && intervals === 0,
      text: `no timer, socket or listener is left: active resources ${left}, intervals ${intervals}`,
    },
    { holds: exitCode === 0, text: `the process ends by itself: ${exitCode ?? 'it does not'}` },
  ];
}

function compareThirds(
  samples: readonly Sample[],
  pick: (sample: Sample) => number,
): { first: number; last: number; percent: number } {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const first = median(samples.slice(0, third).map(pick));
  const last = median(samples.slice(-third).map(pick));
  return { first, last, percent: (last / first - 1) * 100 };
}

export function formatMegabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

function formatPercent(percent: number): string {
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %`;
}
