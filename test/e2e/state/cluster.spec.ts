import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { beginNotes, note, Notebook } from '../../support/applications/notebook.js';
import { authorize, CALLERS } from '../../support/applications/protected-desk.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { startCluster, type RunningCluster } from '../../support/cluster/start-cluster.js';
import { until } from '../../support/until.js';

describe('State in a server of several processes', () => {
  let cluster: RunningCluster;

  beforeAll(async () => {
    const auth = { bearer: Object.values(CALLERS) };
    cluster = await startCluster({
      options: { tasks: true, auth, state: { maxHandles: 2 } },
      providers: [Notebook],
    });
  });

  afterAll(() => cluster.close());

  const at = (index: 0 | 1 | 2, caller?: keyof typeof CALLERS) =>
    perRequest(cluster.processes[index].url, { headers: authorize(caller && CALLERS[caller].token) });

  it('is the same in each of them (XTN-08)', async () => {
    await note(at(0, 'ada'), 'set', { value: { of: 'ada' } });
    expect(await note(at(1, 'ada'), 'get')).toEqual({ of: 'ada' });
    expect(await note(at(1, 'bob'), 'get')).toBeNull();
    expect(await note(at(2, 'ada'), 'delete')).toBe(true);
    expect(await note(at(0, 'ada'), 'has')).toBe(false);
  });

  it('is reached by a handle in each of them (XTN-08)', async () => {
    const handle = await beginNotes(at(0));
    await note(at(1), 'set', { handle, value: 'by a handle' });
    expect(await note(at(2), 'get', { handle })).toBe('by a handle');
  });

  it('loses no change that processes make at once (XTN-08)', async () => {
    const values = Array.from({ length: 30 }, (_, value) => value);
    await Promise.all(
      values.map((value) => note(at((value % 3) as 0 | 1 | 2, 'ada'), 'append', { key: 'list', value })),
    );
    const list = (await note(at(0, 'ada'), 'get', { key: 'list' })) as number[];
    expect(list.toSorted((one, other) => one - other)).toEqual(values);
  });

  it('has the last of two writers count (XTN-08)', async () => {
    await Promise.all([
      note(at(0, 'ada'), 'set', { key: 'both', value: 'one' }),
      note(at(1, 'ada'), 'set', { key: 'both', value: 'other' }),
      note(at(2, 'ada'), 'set', { key: 'beside', value: 'kept' }),
    ]);
    const both = await note(at(2, 'ada'), 'get', { key: 'both' });
    expect(['one', 'other']).toContain(both);
    expect(await note(at(0, 'ada'), 'get', { key: 'both' })).toBe(both);
    expect(await note(at(0, 'ada'), 'get', { key: 'beside' })).toBe('kept');
  });

  it('ends in time everywhere (XTN-08)', async () => {
    await note(at(0, 'ada'), 'set', { key: 'short', value: 1, ttlMs: 1 });
    await until(async () => (await note(at(1, 'ada'), 'has', { key: 'short' })) === false, 'the end of it');
    expect(await note(at(2, 'ada'), 'get', { key: 'short' })).toBeNull();
  });

  it('is given up everywhere for a further handle of the same caller (XTN-08)', async () => {
    const handles = [
      await beginNotes(at(0, 'bob')),
      await beginNotes(at(0, 'bob')),
      await beginNotes(at(0, 'bob')),
    ];
    for (const handle of handles) await note(at(0, 'bob'), 'set', { handle, value: 'kept' });
    const read = (handle: string) => note(at(1, 'bob'), 'get', { handle });
    await until(async () => (await read(handles[0]!)) === null, 'the end of the first');
    expect(await Promise.all(handles.slice(1).map(read))).toEqual(['kept', 'kept']);
  });

  it('says so while it is out of reach, and goes on after that (XTN-08)', async () => {
    await note(at(0, 'eve'), 'set', { value: 'before' });
    cluster.engine.cut(cluster.processes[0].member);
    await until(async () => (await note(at(0, 'eve'), 'get')) === 'unavailable', 'the outage');
    expect(await note(at(0, 'eve'), 'set', { value: 'meanwhile' })).toBe('unavailable');
    cluster.engine.heal();
    await until(async () => (await note(at(0, 'eve'), 'get')) === 'before', 'the end of the outage');
  });
});
