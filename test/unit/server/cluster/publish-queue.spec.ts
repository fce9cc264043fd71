import { describe, expect, it } from '@jest/globals';
import { type Publication, PublishQueue } from '../../../../lib/server/cluster/publisher.js';

const build = (count: number, characters = 1): Publication => ({
  topic: 'topic',
  body: {},
  count,
  change: undefined,
  characters,
});
const counts = (waiting: PublishQueue) => waiting.first(2000).map(({ count }) => count);

describe('What could not be published', () => {
  it('waits in the order in which it was published, whichever failed first (RELAY-07)', () => {
    const waiting = new PublishQueue();
    for (const count of [3, 1, 4, 2, 5]) waiting.add(build(count));
    expect([counts(waiting), waiting.size, waiting.dropped]).toEqual([[1, 2, 3, 4, 5], 5, 0]);
    expect(waiting.first(2).map(({ count }) => count)).toEqual([1, 2]);
  });

  it('is bounded by number, and loses the oldest first (RELAY-07)', () => {
    const waiting = new PublishQueue();
    for (let count = 1; count <= 1000; count += 1) waiting.add(build(count));
    expect(waiting.dropped).toBe(0);
    waiting.add(build(1001));
    waiting.add(build(1002));
    expect([waiting.size, waiting.dropped, counts(waiting)[0]]).toEqual([1000, 2, 3]);
  });

  it('is bounded by characters, to the last, and has the room again of what was removed (RELAY-07)', () => {
    const waiting = new PublishQueue();
    waiting.add(build(1, 1_000_000));
    waiting.add(build(2, 48_576));
    expect(waiting.dropped).toBe(0);
    waiting.remove(1);
    waiting.remove(1);
    waiting.add(build(3, 1_000_000));
    expect([counts(waiting), waiting.dropped]).toEqual([[2, 3], 0]);
    waiting.add(build(4, 1));
    expect([counts(waiting), waiting.dropped]).toEqual([[3, 4], 1]);
    waiting.add(build(5, 2_000_000));
    expect([counts(waiting), waiting.dropped]).toEqual([[], 4]);
    waiting.add(build(6, 1_048_576));
    expect(counts(waiting)).toEqual([6]);
  });
});
