/** What one slice of load showed. */
export interface Sample {
  /** User and system time of the server process per request, in microseconds. */
  cpuMicroseconds: number;
  perSecond: number;
  p50Milliseconds: number;
  p99Milliseconds: number;
  /** Size of an answer's body. */
  bytes: number;
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
