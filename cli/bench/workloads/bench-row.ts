import { estimateMedian, findQuantile, sortNumbers, type Estimate } from '../estimate.js';
import type { Pair, Slice } from './measure-pairs.js';

/** What was measured of a server. */
export interface SideStats {
  readonly perSecond: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  /** How many answers, or events, that is of. */
  readonly count: number;
}

/** A workload and its result. */
export interface BenchRow extends SideStats {
  /** What was asked, such as `tools/call find, 2026-07-28`. */
  readonly workload: string;
  /** The method of the message, and the revision that it was sent in. */
  readonly method: string;
  readonly revision: string;
  /** The length of an answer's body, or of each stream's message. */
  readonly bytes: number;
  readonly bare: SideStats;
  /** How many times as long as the bare server the server takes, by pairs of slices. */
  readonly ratio: { readonly time: Estimate; readonly p50: Estimate; readonly p99: Estimate };
  readonly pairs: number;
  /** The processor time of the load at the bare server, as a share of the time: near 1 the load itself is what is measured. */
  readonly loadShare: number;
}

/** What a workload is called. */
export type RowTitle = Pick<BenchRow, 'workload' | 'method' | 'revision' | 'bytes'>;

/** Builds the row of what was measured. */
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
