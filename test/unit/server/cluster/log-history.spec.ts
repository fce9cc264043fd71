import { describe, expect, it } from '@jest/globals';
import type { ClusterEntry, ClusterPosition } from 'nestjs-mcp';
import { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { Envelopes } from '../../../../lib/server/cluster/envelopes.js';
import { buildEntryContent, ClusterLog, LogHistory } from '../../../../lib/server/cluster/cluster-log.js';
import { ClusterBusError } from '../../../../lib/server/cluster/cluster-bus.js';

const envelopes = new Envelopes(new Keyring(['secret']), '/mcp');
const at = (number: number, epoch = 'log'): ClusterPosition => ({ epoch, number });

/** An entry as the log of the engine has it. */
const buildEntry = (number: number, count = number): ClusterEntry => ({
  position: at(number),
  text: envelopes.seal(
    buildEntryContent({ member: 'member', count, topic: 'topic', body: { count } }),
    'log',
  ),
});

/** Reads all that an engine has which has these entries, and says that the newest is there. */
async function read(after: ClusterPosition, entries: readonly ClusterEntry[], newest?: ClusterPosition) {
  const connection = {
    position: newest,
    read: ({ number }: ClusterPosition, limit: number) =>
      Promise.resolve(entries.filter(({ position }) => position.number > number).slice(0, limit)),
  };
  const history = new LogHistory(new ClusterLog(), envelopes, () => connection);
  const counts: number[] = [];
  for await (const page of history.read(after)) counts.push(...page.map(({ count }) => count));
  return counts;
}

describe('LogHistory', () => {
  it('gives what lies behind a place, up to what was there at first (RELAY-03)', async () => {
    const entries = Array.from({ length: 200 }, (_, index) => buildEntry(index + 1));
    const counts = await read(at(50), entries, at(190));
    expect(counts).toEqual(Array.from({ length: 140 }, (_, index) => index + 51));
    expect(await read(at(190), entries, at(190))).toEqual([]);
  });

  it('gives once what is there twice, and nothing that it cannot read (RELAY-03)', async () => {
    const foreign = { position: at(3), text: '{"v":1,"e":"x"}' };
    const entries = [buildEntry(1, 7), buildEntry(2, 8), foreign, buildEntry(4, 7), buildEntry(5, 9)];
    expect(await read(at(0), entries, at(5))).toEqual([7, 8, 9]);
  });

  it('has no beginning in another log, or in one that was never reached (RELAY-07)', async () => {
    await expect(read(at(1, 'other'), [], at(5))).rejects.toMatchObject({ reason: 'gone' });
    await expect(read(at(1), [])).rejects.toThrow(ClusterBusError);
    await expect(read(at(1), [])).rejects.toMatchObject({ reason: 'unreachable' });
  });
});
