import { describe, expect, it } from '@jest/globals';
import { LogReplay, LOSS, type ReadEntry } from '../../../../lib/server/cluster/cluster-log.js';
import { ClusterBusError, Topic } from '../../../../lib/server/cluster/cluster-bus.js';

const BEGIN = { epoch: 'a', number: 0 };
const NUMBERS = new Topic<{ readonly n: number }>('numbers', (body) => 'n' in body);

const entryOf = (topic: string, body: object, number: number): ReadEntry => ({
  topic,
  body,
  position: { epoch: 'a', number },
  member: 'one',
  count: number,
});

const ENTRIES = [
  entryOf('numbers', { n: 1 }, 1),
  entryOf('letters', { n: 2 }, 2),
  entryOf('numbers', { other: 3 }, 3),
  entryOf('numbers', { n: 4 }, 4),
];

const recallOf = (entries: readonly ReadEntry[], failure?: Error) =>
  new LogReplay(
    { after: () => entries },
    {
      async *read() {
        if (failure !== undefined) throw failure;
        for (const entry of entries) yield [entry];
      },
    },
  );

describe('LogReplay', () => {
  it('gives what this release understands of one topic, and of no other (RELAY-03) (RELAY-08)', async () => {
    const recall = recallOf(ENTRIES);
    for (const found of [await recall.all(NUMBERS, BEGIN), recall.buffered(NUMBERS, BEGIN)]) {
      expect(found?.map(({ body, position }) => [body.n, position.number])).toEqual([
        [1, 1],
        [4, 4],
      ]);
    }
  });

  it('gives nothing where something was lost on its way to the log (RELAY-07)', async () => {
    const recall = recallOf([...ENTRIES, entryOf(LOSS.name, { dropped: 1 }, 5)]);
    expect(recall.buffered(NUMBERS, BEGIN)).toBeUndefined();
    expect(await recall.all(NUMBERS, BEGIN)).toBeUndefined();
  });

  it('tells what is gone from what cannot be read at the moment (RELAY-07)', async () => {
    const gone = recallOf([], new ClusterBusError('gone', 'It is not there any more'));
    expect(await gone.all(NUMBERS, BEGIN)).toBeUndefined();
    const away = recallOf([], new ClusterBusError('timeout', 'The engine does not answer'));
    await expect(away.all(NUMBERS, BEGIN)).rejects.toThrow('The engine does not answer');
  });
});
