import { describe, expect, it } from '@jest/globals';
import { ClusterLog, type ReadEntry } from '../../../../lib/server/cluster/cluster-log.js';

const build = (number: number, epoch = 'log'): ReadEntry => ({
  position: { epoch, number },
  topic: 'topic',
  body: {},
  member: 'member',
  count: number * 10,
});
const numbers = (log: ClusterLog, number: number, epoch = 'log') =>
  log.after({ epoch, number })?.map(({ position }) => position.number);

describe('ClusterLog', () => {
  it('has what lies behind a place from which on it has everything (RELAY-03)', () => {
    const log = new ClusterLog();
    expect(numbers(log, 0)).toBeUndefined();
    for (const number of [5, 6, 7]) log.add(build(number), 10);
    expect([3, 4, 5, 7].map((after) => numbers(log, after))).toEqual([undefined, [5, 6, 7], [6, 7], []]);
    expect(numbers(log, 5, 'other')).toBeUndefined();
    log.begin({ epoch: 'log', number: 7 });
    expect([numbers(log, 7), numbers(log, 6)]).toEqual([[], undefined]);
  });

  it('knows what came before at another place by who published it, in the next log too (RELAY-03)', () => {
    const log = new ClusterLog();
    log.add(build(1), 10);
    const again = { member: 'member', count: 10, position: { epoch: 'log', number: 2 } };
    const entries = [build(1), again, { ...again, count: 1 }, { ...again, member: 'other' }];
    expect(entries.map((entry) => log.has(entry))).toEqual([false, true, false, false]);
    expect(log.has(build(1, 'fresh'))).toBe(true);
    log.add(build(2, 'fresh'), 10);
    expect([numbers(log, 1, 'fresh'), numbers(log, 0)]).toEqual([[2], undefined]);
    log.restart();
    expect([log.has(again), numbers(log, 2, 'fresh')]).toEqual([true, undefined]);
  });

  it('forgets the oldest when it has too many, and says so of what lies before the rest (RELAY-07)', () => {
    const log = new ClusterLog();
    for (let number = 1; number <= 1024; number += 1) log.add(build(number), 1);
    expect(numbers(log, 0)).toHaveLength(1024);
    log.add(build(1025), 1);
    expect(numbers(log, 0)).toBeUndefined();
    expect(numbers(log, 1025 - 896)).toHaveLength(896);
  });

  it('forgets where the oldest stood when it knows that of too many (RELAY-07)', () => {
    const log = new ClusterLog();
    for (let number = 1; number <= 4097; number += 1) log.add(build(number), 1);
    expect([log.has(build(1, 'next')), log.has(build(2, 'next'))]).toEqual([false, true]);
  });

  it('forgets the oldest when they are too long together (RELAY-07)', () => {
    const log = new ClusterLog();
    const half = 2 * 1_048_576;
    for (const number of [1, 2]) log.add(build(number), half);
    expect(numbers(log, 0)).toEqual([1, 2]);
    log.add(build(3), 1);
    expect([numbers(log, 0), numbers(log, 1)]).toEqual([undefined, [2, 3]]);
    log.add(build(4), half - 1);
    expect(numbers(log, 1)).toEqual([2, 3, 4]);
  });
});
