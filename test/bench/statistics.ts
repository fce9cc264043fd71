export {
  findMedian as median,
  findMedianInterval,
  findQuantile,
  sortNumbers,
  type Interval,
} from '../../cli/bench/estimate.js';

/** What one slice of load showed. */
export interface Sample {
  /** What is compared: processor time per request, memory per session, or time until the first answer. */
  cost: number;
  perSecond?: number;
  p50Milliseconds?: number;
  p99Milliseconds?: number;
  p999Milliseconds?: number;
  /** The longest time in which the event loop of the server came to nothing else. */
  pauseMilliseconds?: number;
  /** Size of an answer's body, or of an event. */
  bytes?: number;
  /** Growth of the process's resident memory per session. */
  residentBytes?: number;
}

/** Does something over and over for so long, and gives the duration of each time in milliseconds. */
export async function timeFor(durationMs: number, act: () => unknown): Promise<number[]> {
  const latencies: number[] = [];
  let now = performance.now();
  const end = now + durationMs;
  while (now < end) {
    const begun = now;
    await act();
    now = performance.now();
    latencies.push(now - begun);
  }
  return latencies;
}
