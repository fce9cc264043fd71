import { describe, expect, it } from '@jest/globals';
import { compareLines } from '../../../../cli/migrate/compare-lines.js';

/** Gives the same numbers each time. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

function pick(lines: readonly string[], isLeft: Uint8Array): readonly string[] {
  return lines.filter((_, index) => isLeft[index] === 0);
}

/** How many lines both have in common at most, in their order. */
function countCommon(one: readonly string[], other: readonly string[]): number {
  let next = other.map(() => 0).concat(0);
  for (const line of one.toReversed()) {
    const row = next.slice();
    for (let index = other.length - 1; index >= 0; index--) {
      row[index] =
        line === other[index] ? (next[index + 1] ?? 0) + 1 : Math.max(next[index] ?? 0, row[index + 1] ?? 0);
    }
    next = row;
  }
  return next[0] ?? 0;
}

describe('compareLines()', () => {
  it('finds the fewest lines of texts that are alike in any way', () => {
    const roll = createDice(7);
    for (let round = 0; round < 500; round += 1) {
      const kinds = 1 + roll(6);
      const [before, after] = [roll(14), roll(14)].map((length) =>
        Array.from({ length }, () => `${roll(kinds)}`),
      ) as [string[], string[]];
      const { isRemoved, isAdded } = compareLines(before, after);
      const kept = pick(before, isRemoved);
      expect(kept).toEqual(pick(after, isAdded));
      expect(kept).toHaveLength(countCommon(before, after));
    }
  });

  it('keeps what is the same of long texts that differ in every other line', () => {
    const before = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
    const after = before.map((line, index) => (index % 2 === 0 ? line : `other ${index}`));
    const { isRemoved, isAdded } = compareLines(before, after);
    expect(pick(before, isRemoved)).toEqual(pick(after, isAdded));
    expect(isRemoved.reduce((sum, one) => sum + one, 0)).toBe(10_000);
  });
});
