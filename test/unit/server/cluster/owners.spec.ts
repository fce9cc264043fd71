import { describe, expect, it } from '@jest/globals';
import { Owners } from '../../../../lib/server/cluster/owners.js';
import {
  type ClusterBus,
  ClusterBusError,
  type ClusterTimeouts,
  Query,
} from '../../../../lib/server/cluster/cluster-bus.js';

const QUERY = new Query<object, { readonly at: string }>('query');
const WAITS = { retryMs: 1, certainMs: 60_000, unresponsiveMs: 50 } as ClusterTimeouts;
const PATIENT = { member: 'there', patienceMs: 60_000 };

/** Builds an engine's way to processes that are asked for nothing else than this. */
function create(ask: (member: string) => Promise<{ at: string }>, parts: object = {}) {
  const changes: object[] = [];
  const bus = {
    member: 'own',
    isConnected: true,
    isMember: (member: string) => member !== 'invented',
    request: (_query: object, _body: object, member: string) => ask(member),
    shared: {
      countedMs: 0,
      members: () => Promise.resolve(['own', 'there']),
      find: () => Promise.resolve(undefined),
      change: (change: object) => Promise.resolve(changes.push(change)),
    },
    ...parts,
  };
  return { owners: new Owners(bus as unknown as ClusterBus, WAITS), changes };
}

const timeout = () => new ClusterBusError('timeout', 'It did not answer');

describe('Owners', () => {
  it('ask a process, and no name that somebody invented (RELAY-05)', async () => {
    const asked: string[] = [];
    const { owners } = create((member) => Promise.resolve({ at: `${asked.push(member)} ${member}` }));
    await expect(owners.ask(QUERY, {}, PATIENT)).resolves.toEqual({ at: '1 there' });
    await expect(owners.ask(QUERY, {}, { ...PATIENT, member: 'invented' })).resolves.toBeUndefined();
    expect(asked).toEqual(['there']);
  });

  it('give up a process that is counted and does not answer, as long as it is counted for (RELAY-05)', async () => {
    let asked = 0;
    const { owners } = create(() => Promise.reject(((asked += 1), timeout())));
    await expect(owners.ask(QUERY, {}, PATIENT)).rejects.toThrow('It did not answer');
    expect(asked).toBe(1);
  });

  it('ask again as long as the engine is away, and have what comes then (RELAY-05) (RELAY-07)', async () => {
    let asked = 0;
    const { owners } = create(
      () => ((asked += 1) < 5 ? Promise.reject(timeout()) : Promise.resolve({ at: 'last' })),
      { isConnected: false },
    );
    await expect(owners.ask(QUERY, {}, PATIENT)).resolves.toEqual({ at: 'last' });
    asked = 0;
    await expect(owners.ask(QUERY, {}, { ...PATIENT, patienceMs: 0 })).rejects.toThrow(ClusterBusError);
    expect(asked).toBe(1);
  });

  it('pass on at once that a process failed to answer (RELAY-05)', async () => {
    const { owners } = create(() => Promise.reject(new ClusterBusError('failed', 'It failed')), {
      isConnected: false,
    });
    await expect(owners.ask(QUERY, {}, PATIENT)).rejects.toThrow('It failed');
  });

  it('have no more than 200 questions of one caller wait, and those of others beside them (FAIR-03)', async () => {
    let release = (): void => undefined;
    const gate = new Promise<{ at: string }>((resolve) => (release = () => resolve({ at: 'there' })));
    const { owners } = create(() => gate);
    const ask = (caller?: string) => owners.ask(QUERY, {}, { ...PATIENT, ...(caller && { caller }) });
    const waiting = Array.from({ length: 200 }, () => ask('ada'));
    await expect(ask('ada')).rejects.toThrow('Too many of your messages are waiting for other processes');
    const others = [ask('bob'), ask()];
    release();
    await expect(Promise.all([...waiting, ...others])).resolves.toHaveLength(202);
    await expect(Promise.all(Array.from({ length: 200 }, () => ask('ada')))).resolves.toHaveLength(200);
  });

  it('say that this process has ended, for a day (RELAY-08)', async () => {
    const { owners, changes } = create(() => Promise.reject(timeout()));
    const begun = Date.now();
    await owners.beforeApplicationShutdown();
    expect(changes).toEqual([{ key: 'ended:own', set: { ended: '1' }, expires: expect.any(Number) }]);
    const [{ expires } = { expires: 0 }] = changes as { expires: number }[];
    expect(expires).toBeGreaterThanOrEqual(begun + 24 * 3_600_000);
  });
});
