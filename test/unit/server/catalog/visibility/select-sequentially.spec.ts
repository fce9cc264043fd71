import { describe, expect, it } from '@jest/globals';
import { selectSequentially } from '../../../../../lib/server/catalog/visibility/select-sequentially.js';

const numbers = (length: number) => Array.from({ length }, (_, at) => at);

describe('selectSequentially', () => {
  it('keeps the order, in whichever the answers come (NEST-06)', async () => {
    const answers = new Map<number, (fits: boolean) => void>();
    const selecting = selectSequentially(
      numbers(5),
      Infinity,
      (at) => new Promise((resolve) => answers.set(at, resolve)),
    );
    for (const at of numbers(5).toReversed()) answers.get(at)?.(at !== 2);
    expect([...(await selecting)]).toEqual([0, 1, 3, 4]);
  });

  it('asks of each item once, and of few at once (NEST-06)', async () => {
    const asked: number[] = [];
    let open = 0;
    let most = 0;
    await selectSequentially(numbers(200), Infinity, async (at) => {
      asked.push(at);
      open += 1;
      most = Math.max(most, open);
      await new Promise(setImmediate);
      open -= 1;
      return true;
    });
    expect(asked).toEqual(numbers(200));
    expect(most).toBe(16);
  });

  it('asks of no more than it takes to have so many (NEST-06)', async () => {
    const asked: number[] = [];
    const found = await selectSequentially(numbers(1000), 3, (at) => asked.push(at) > 0 && at % 2 === 1);
    expect([...found].slice(0, 3)).toEqual([1, 3, 5]);
    expect(asked.length).toBeLessThan(32);
  });

  it('asks of nothing where there is nothing (NEST-06)', async () => {
    expect(await selectSequentially([], 10, () => true)).toEqual(new Set());
  });
});
