import { estimateMedian, findQuantile, sortNumbers, type Estimate } from '../estimate.js';
import type { Pair, Slice } from './measure-pairs.js';

/** A server's results. */
export interface SideStats {
  readonly perSecond: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  /** The number of responses or events. */
  readonly count: number;
}

/** A workload and its result. */
export interface BenchRow extends SideStats {
  /** The request, such as `tools/call find, 2026-07-28`. */
  readonly workload: string;
  /** The message's method and revision. */
  readonly method: string;
  readonly revision: string;
  /** The length of a response body, or of the message on each stream. */
  readonly bytes: number;
  readonly bare: SideStats;
  /** The duration as a multiple of the baseline's, from pairs of slices. */
  readonly ratio: { readonly time: Estimate; readonly p50: Estimate; readonly p99: Estimate };
  readonly pairs: number;
  /** The share of a core that the load uses against the baseline. Near 1, the load itself is the limit. */
  readonly loadShare: number;
}

/** A workload's name. */
export type RowTitle = Pick<BenchRow, 'workload' | 'method' | 'revision' | 'bytes'>;

/** Builds the row of a workload. */
export function buildRow(title: RowTitle, pairs: readonly Pair[]): BenchRow {
  const compare = (figure: (slice: Slice) => number) =>
    estimateMedian(pairs.map(({ server, bare }) => figure(server) / figure(bare)));
  return {
    ...title,
    ...describeSide(pairs.map(({ server }) => server)),
    bare: describeSide(pairs.map(({ bare }) => bare)),
    ratio: {
      time: compare(({ milliseconds, latencies }) => milliseconds / latencies.length),
      p50: compare(({ latencies }) => findQuantile(sortNumbers(latencies), 0.5)),
      p99: compare(({ latencies }) => findQuantile(sortNumbers(latencies), 0.99)),
    },
    pairs: pairs.length,
    loadShare: estimateMedian(pairs.map(({ bare }) => bare.loadShare)).median,
  };
}

function describeSide(slices: readonly Slice[]): SideStats {
  const sorted = sortNumbers(slices.flatMap(({ latencies }) => latencies));
  const seconds = slices.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
  return {
    perSecond: sorted.length / seconds,
    p50Milliseconds: findQuantile(sorted, 0.5),
    p99Milliseconds: findQuantile(sorted, 0.99),
    count: sorted.length,
  };
}
