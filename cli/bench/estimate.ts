/** A median with its 95 % confidence interval. */
export interface Estimate {
  readonly median: number;
  /** Absent if there are too few values. */
  readonly interval: readonly [lower: number, upper: number] | undefined;
}

/** The bounds of a 95 % confidence interval. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

const RESAMPLES = 4000;

/** The minimum number of values for an interval. */
export const FEWEST_VALUES = 5;

/** Estimates the median of values, and its interval if there are enough of them. */
export function estimateMedian(values: readonly number[]): Estimate {
  const median = findMedian(values);
  if (values.length < FEWEST_VALUES) return { median, interval: undefined };
  const { lower, upper } = findMedianInterval(values);
  return { median, interval: [lower, upper] };
}

/** Finds the median of values in any order. */
export function findMedian(values: readonly number[]): number {
  return findQuantile(sortNumbers(values), 0.5);
}

/**
 * Estimates the confidence interval of a median with the bootstrap. The same values give the same interval.
 *
 * @see B. Efron, "Bootstrap Methods: Another Look at the Jackknife", 1979
 */
export function findMedianInterval(values: readonly number[]): Interval {
  const draw = createRandom();
  const medians = Array.from({ length: RESAMPLES }, () =>
    findMedian(values.map(() => values[Math.floor(draw() * values.length)] ?? Number.NaN)),
  );
  const sorted = sortNumbers(medians);
  return { lower: findQuantile(sorted, 0.025), upper: findQuantile(sorted, 0.975) };
}

/** Finds the value below which the given share of the sorted values lies, interpolated between neighbors. */
export function findQuantile(sorted: ArrayLike<number>, share: number): number {
  const position = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(position)] ?? Number.NaN;
  const upper = sorted[Math.ceil(position)] ?? Number.NaN;
  return lower + (upper - lower) * (position - Math.floor(position));
}

/** Sorts numbers quickly. */
export function sortNumbers(values: readonly number[]): Float64Array {
  return Float64Array.from(values).toSorted();
}

/** A linear congruential generator, with the constants from "Numerical Recipes". */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
