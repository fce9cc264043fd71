/** What one slice of load showed. */
export interface Sample {
  /** What is compared: processor time per request, memory per session, or time until the first answer. */
  cost: number;
  perSecond?: number;
  p50Milliseconds?: number;
  p99Milliseconds?: number;
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
 * Values of one launch have more in common than those of two: launches are drawn first, and then values of each.
 *
 * @param launches on how many launches the values were measured, as many on each, one after the other
 * @see B. Efron, "Bootstrap Methods: Another Look at the Jackknife", 1979
 * @see T. Kalibera and R. Jones, "Rigorous Benchmarking in Reasonable Time", 2013
 */
export function findMedianInterval(values: readonly number[], launches = 1): Interval {
  const random = createRandom();
  const draw = <Item>(items: readonly Item[]): Item[] =>
    items.map(() => items[Math.floor(random() * items.length)] as Item);
  const groups = split(values, launches);
  const medians = Array.from({ length: RESAMPLES }, () => median(draw(groups).flatMap(draw)));
  const sorted = sortNumbers(medians);
  return { lower: findQuantile(sorted, 0.025), upper: findQuantile(sorted, 0.975) };
}

function split(values: readonly number[], count: number): readonly (readonly number[])[] {
  const size = Math.ceil(values.length / count);
  const parts = Array.from({ length: count }, (_, index) => values.slice(index * size, (index + 1) * size));
  return parts.filter(({ length }) => length > 0);
}

/** A linear congruential generator, with the factors of "Numerical Recipes". */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
