import { MeasurementError } from '../measurement.error.js';
import type { WorkloadTime } from './workload-time.js';

/** A short measurement of one server. */
export interface Slice {
  readonly milliseconds: number;
  /** The latency of each response or event in milliseconds. */
  readonly latencies: readonly number[];
  /** The share of a core that this process used. */
  readonly loadShare: number;
}

/** Two consecutive slices. */
export interface Pair {
  readonly server: Slice;
  readonly bare: Slice;
}

/** A server that can be put under load for a short time. */
export interface Contender {
  slice(durationMs: number): Promise<Slice>;
}

/** The number of pairs that fit into the duration if responses are fast. */
const PAIRS = 12;
const WARM_UP_SHARE = 0.25;
const SHORTEST_SLICE_MS = 20;

/**
 * Alternates between two servers in short slices, each time in the reverse order, so that other work on the machine
 * affects both equally. First, a warm-up gives both time to compile their code.
 *
 * @throws {MeasurementError} if there is not enough time for a single pair
 */
export async function measurePairs(
  { server, bare }: { readonly server: Contender; readonly bare: Contender },
  time: WorkloadTime,
): Promise<readonly Pair[]> {
  time.begin();
  const warmUpMs = (time.budgetMs * WARM_UP_SHARE) / 2;
  for (const contender of [server, bare]) await warmUp(contender, warmUpMs, time);
  const sliceMs = Math.max((time.budgetMs * (1 - WARM_UP_SHARE)) / PAIRS / 2, SHORTEST_SLICE_MS);
  const pairs: Pair[] = [];
  do {
    const pair = await measurePair({ server, bare, sliceMs, isBareFirst: pairs.length % 2 === 1 });
    // An interrupted slice is not representative.
    if (time.isInterrupted) break;
    pairs.push(pair);
  } while (!time.isOver);
  if (pairs.length === 0) throw new MeasurementError('the run was interrupted');
  return pairs;
}

/** Repeats slices, because some end early when too many sessions are open. */
async function warmUp(contender: Contender, durationMs: number, time: WorkloadTime): Promise<void> {
  const end = performance.now() + durationMs;
  do await contender.slice(Math.max(end - performance.now(), 0));
  while (performance.now() < end && !time.isInterrupted);
}

interface Round {
  readonly server: Contender;
  readonly bare: Contender;
  readonly sliceMs: number;
  readonly isBareFirst: boolean;
}

async function measurePair({ server, bare, sliceMs, isBareFirst }: Round): Promise<Pair> {
  if (!isBareFirst) return { server: await server.slice(sliceMs), bare: await bare.slice(sliceMs) };
  const first = await bare.slice(sliceMs);
  return { server: await server.slice(sliceMs), bare: first };
}

/** Runs work, and measures its duration and CPU time. */
export async function timeSlice(work: () => Promise<readonly number[]>): Promise<Slice> {
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  const latencies = await work();
  const milliseconds = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { milliseconds, latencies, loadShare: (user + system) / 1000 / milliseconds };
}
