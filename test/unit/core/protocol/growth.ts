/** How many times longer the longer input is. */
const FACTOR = 64;

/**
 * What {@link growthOf} stays below where the work is linear. There is much room for what only long inputs cost: memory that a
 * busy machine has to find makes them ten times as slow, character for character.
 */
export const LINEAR = FACTOR ** 1.75;

/** Below this a clock says nothing. */
const SHORTEST_MS = 0.005;

/**
 * Measures how much longer work takes on 64 times the input: about 64 where it is linear, 4096 where it is quadratic. The
 * best of several rounds counts.
 */
export function growthOf(size: number, work: (size: number) => void): number {
  // Many rounds, so that the code is compiled for the shorter input too.
  const smaller = bestTime(200, () => work(Math.ceil(size / FACTOR)));
  const larger = bestTime(8, () => work(size));
  return larger / Math.max(smaller, SHORTEST_MS);
}

function bestTime(rounds: number, work: () => void): number {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}
