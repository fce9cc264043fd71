/**
 * Measures how much longer work takes on sixteen times the input: about 16 where it is linear, 256 where it is
 * quadratic. The best of several rounds counts, so that a busy machine does not matter.
 */
export function growthOf(size: number, work: (size: number) => void): number {
  const smaller = Math.ceil(size / 16);
  work(smaller);
  work(size);
  return (
    bestTime(() => work(size)) /
    Math.max(
      bestTime(() => work(smaller)),
      0.005,
    )
  );
}

/** What {@link growthOf} stays below where the work is linear, with room for garbage collection. */
export const LINEAR = 80;

function bestTime(work: () => void): number {
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}
