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

export function median(values: readonly number[]): number {
  return findQuantile(sortNumbers(values), 0.5);
}

/** The value below which the given share of the sorted values lies, interpolated between neighbours. */
export function findQuantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(position)] ?? Number.NaN;
  const upper = sorted[Math.ceil(position)] ?? Number.NaN;
  return lower + (upper - lower) * (position - Math.floor(position));
}

export function sortNumbers(values: readonly number[]): number[] {
  return values.toSorted((left, right) => left - right);
}

/** What a value lies between, in 95 of 100 cases. */
export interface Interval {
  lower: number;
  upper: number;
}

const RESAMPLES = 4000;

/**
 * The 95 % interval of a median, by the medians of values drawn from these over and over. The same values give the same
 * interval.
 *
 * @see B. Efron, "Bootstrap Methods: Another Look at the Jackknife", 1979
 */
export function findMedianInterval(values: readonly number[]): Interval {
  const random = createRandom();
  const medians = Array.from({ length: RESAMPLES }, () =>
    median(values.map(() => values[Math.floor(random() * values.length)] ?? Number.NaN)),
  );
  const sorted = sortNumbers(medians);
  return { lower: findQuantile(sorted, 0.025), upper: findQuantile(sorted, 0.975) };
}

/** A linear congruential generator, with the factors of "Numerical Recipes". */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
