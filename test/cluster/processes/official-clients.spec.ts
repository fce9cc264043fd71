import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { announce } from '../../support/cluster/audience.js';
import { neverTwice } from '../../support/cluster/balancer.js';
import { range } from '../../support/cluster/kept-stream.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until } from '../../support/until.js';
import { KINDS, type OfficialClient } from './official-clients.js';

const LONG_MS = 60_000;
const WATCHED = 'cluster://watched';

let cluster: ProcessCluster;
let client: OfficialClient | undefined;

beforeAll(async () => {
  cluster = await ProcessCluster.start({ choose: neverTwice() });
}, 120_000);

afterEach(async () => {
  await client?.close();
  client = undefined;
});

afterAll(() => cluster.stop());

describe.each(KINDS)('The official client $kind, no two requests of which reach the same process', (kind) => {
  const { wire, connect } = kind;
  const name = `${kind.kind}:`;

  async function arrive(): Promise<OfficialClient> {
    client = await connect(cluster.balancer.origin);
    return client;
  }

  it('lists and calls (RELAY-01)', async () => {
    const { call, listTools } = await arrive();
    expect(await listTools()).toContain('where');
    const pids = new Set<string>();
    for (let count = 0; count < 6; count += 1) pids.add(await call('where'));
    // What is posted beside a stream is served where the stream is.
    expect(pids.size > 1).toBe(wire !== 'sse');
  });

  it('hears of progress (RELAY-01)', async () => {
    const { call } = await arrive();
    // Over HTTP+SSE these clients drop the progress that comes with the end of its call, in one piece.
    const tool = wire === 'sse' ? 'stepsAndAsks' : 'steps';
    for (let count = 0; count < 3; count += 1) {
      const heard: number[] = [];
      await call(tool, { count: 3 }, { onProgress: (progress) => heard.push(progress) });
      expect(heard).toEqual([1, 2, 3]);
    }
  });

  it.each(['ask', 'sample', 'listRoots'])(
    'answers what it is asked: %s (RELAY-05) (RELAY-01)',
    async (tool) => {
      const { call } = await arrive();
      for (let count = 0; count < 3; count += 1) expect(await call(tool)).toMatch(/verso at \d+$/);
    },
  );

  it('cancels its calls (RELAY-05)', async () => {
    const { call } = await arrive();
    for (let count = 0; count < 3; count += 1) {
      const stop = new AbortController();
      const held = `${name}${count}`;
      const calling = call(
        'hold',
        { name: held },
        { signal: stop.signal, onProgress: () => stop.abort('no more') },
      );
      await expect(calling).rejects.toThrow('no more');
      const isAborted = () => cluster.processes.some(({ stdout }) => stdout.includes(`aborted ${held}.`));
      await until(isAborted, 'the abortion', LONG_MS);
    }
  });

  it('is told of updates that it subscribed to, by every process (RELAY-01) (RELAY-04)', async () => {
    const guest = await arrive();
    await until(() => guest.isListening, 'an open stream', LONG_MS);
    await guest.subscribe(WATCHED);
    for (let count = 0; count < 3; count += 1) await guest.call('update');
    await until(() => guest.updates.length >= 3, 'updates', LONG_MS);
    expect(guest.updates).toEqual([WATCHED, WATCHED, WATCHED]);
  });

  it('is told of changes of the list of tools, by every process (RELAY-01)', async () => {
    const guest = await arrive();
    await until(() => guest.isListening, 'an open stream', LONG_MS);
    for (const { url } of cluster.processes) {
      const before = guest.toolChanges;
      const other = await connect(new URL(url).origin);
      const added = `${kind.kind.replaceAll(/\W/g, '-')}-${new URL(url).port}`;
      await other.call('addTool', { name: added });
      await other.close();
      expect(await until(() => guest.toolChanges > before, 'a change', LONG_MS)).toBe(true);
    }
  });

  if (wire !== 'stateless') {
    it('gets log entries by the level that it set, from every process (RELAY-01) (RELAY-04)', async () => {
      const guest = await arrive();
      await until(() => guest.isListening, 'an open stream', LONG_MS);
      await guest.setLevel('error');
      // A process that is a little late may give a session what was said before it was opened.
      const low = `low of ${name}`;
      for (let count = 0; count < 3; count += 1) {
        await guest.call('say', { level: 'info', text: low });
        await guest.call('say', { level: 'error', text: name });
      }
      const own = () => guest.entries.filter((entry) => entry === name);
      await until(() => own().length >= 3, 'entries', LONG_MS);
      expect(own()).toHaveLength(3);
      expect(guest.entries).not.toContain(low);
    });
  }

  if (wire === 'session') {
    it('comes back for the answer of a call (RELAY-05)', async () => {
      const { call } = await arrive();
      for (let count = 0; count < 3; count += 1) {
        expect(await call('letGo', { ms: 200, name })).toMatch(/^let go/);
      }
    });

    it('ends its session everywhere (RELAY-06)', async () => {
      const guest = await arrive();
      await guest.call('where');
      await guest.terminate();
      const isRefused = () =>
        guest.call('where').then(
          () => false,
          () => true,
        );
      for (let count = 0; count < 3; count += 1) {
        expect(await until(isRefused, 'the end', LONG_MS)).toBe(true);
      }
    });
  }

  if (kind.kind === 'v1 over streamable HTTP') {
    it('follows its tasks (RELAY-09)', async () => {
      const { callAsTask } = await arrive();
      for (let count = 0; count < 3; count += 1) {
        expect(await callAsTask?.('job', { name: 'followed', ms: 100 })).toMatch(/^followed at/);
      }
    });
  }
});

describe.each(KINDS.filter(({ wire }) => wire === 'session'))('The official client $kind', ({ connect }) => {
  it('hears all, in order and once, though each process is killed and replaced (RELAY-03)', async () => {
    const guests = await Promise.all(Array.from({ length: 4 }, () => connect(cluster.balancer.origin)));
    try {
      await until(() => guests.every(({ isListening }) => isListening), 'open streams', LONG_MS);
      for (const index of [0, 1, 2]) {
        await announce(cluster.url, { count: 20, from: 1 + index * 40 });
        await cluster.at(index).stop('SIGKILL');
        await announce(cluster.url, { count: 20, from: 21 + index * 40 });
        await cluster.replace(index);
        const aim = 40 * (index + 1);
        await until(() => guests.every(({ entries }) => entries.length >= aim), 'all numbers', LONG_MS);
      }
      for (const { entries } of guests) expect(entries).toEqual(range(1, 120).map((n) => ({ n })));
    } finally {
      await Promise.all(guests.map((guest) => guest.close()));
    }
  }, 180_000);
});
