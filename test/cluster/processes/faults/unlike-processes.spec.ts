import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { redisCluster } from 'nestjs-mcp/redis';
import { initialize } from '../../../support/clients/json-rpc.js';
import { callToolIn } from '../../../support/clients/tools.js';
import { publishedClient, textOfTask } from '../../../support/clients/task-wires.js';
import { announce, Audience } from '../../../support/cluster/audience.js';
import { CallLoad } from '../../../support/cluster/call-load.js';
import { endAfterEach } from '../../../support/cluster/end-after-each.js';
import { range } from '../../../support/cluster/kept-stream.js';
import { ProcessCluster } from '../../../support/cluster/process-cluster.js';

/** How the processes name their server: by its path. */
const SERVER = '/mcp';
const HOUR_MS = 3_600_000;
/** A module that puts all of a process's clock so far from that of the machine. */
const shift = (ms: number) =>
  `data:text/javascript,${encodeURIComponent(`
    globalThis.Date = class extends Date {
      static now() { return super.now() + ${ms}; }
      constructor(...parts) { super(...(parts.length === 0 ? [new.target.now()] : parts)); }
    };
  `)}`;

const begin = endAfterEach();

describe.each([
  ['fast', HOUR_MS],
  ['slow', -HOUR_MS],
])('A process whose clock is an hour %s', (_which, ms) => {
  it('is one of the server as the others are (RELAY-08) (RELAY-01)', async () => {
    const cluster = await begin(
      ProcessCluster.start({
        differences: (index) => (index === 1 ? { nodeOptions: ['--import', shift(ms)] } : {}),
      }),
    );
    const audience = await begin(Audience.open([0, 1, 2].map((index) => cluster.urlOf(index))));
    const load = await begin(CallLoad.start(cluster.url, { repeats: 0 }));
    for (const index of [0, 1, 2]) {
      await announce(cluster.urlOf(index), { count: 10, from: 1 + index * 10 });
      await audience.heard(10 + index * 10);
      // What begins in one is known in all.
      const session = await initialize(cluster.urlOf(index));
      const pids = await Promise.all(
        cluster.processes.map(({ url }) => callToolIn(session.at(url), 'where')),
      );
      expect(pids).toEqual(cluster.processes.map(({ pid }) => String(pid)));
      await session.delete();
    }
    const { taskId } = await publishedClient(cluster.urlOf(1)).create('job', { name: 'timeless', ms: 50 });
    const task = await publishedClient(cluster.urlOf(2)).reach(taskId);
    expect(textOfTask(task)).toMatch(/^timeless at/);
    audience.streams.forEach((stream) => stream.lose());
    await announce(cluster.url, { count: 10, from: 31 });
    await audience.heard(40);
    expect(audience.histories).toEqual([range(1, 40)]);
    expect(load.failures).toEqual([]);
  }, 180_000);
});

describe('What processes of another version write', () => {
  it('is left alone if it is not understood, in the log and on the way (RELAY-08)', async () => {
    const cluster = await begin(ProcessCluster.start({ environment: { PREFIX: 'versions' } }));
    const audience = await begin(Audience.open([0, 1, 2].map((index) => cluster.urlOf(index))));
    const load = await begin(CallLoad.start(cluster.url, { repeats: 0 }));
    await announce(cluster.urlOf(0), { count: 10 });
    await audience.heard(10);
    for (const strange of ['{"v":99,"topic":"future","body":{}}', '{"v":1}', '[]', 'null', '{', '\u0000']) {
      await writeStrange(cluster.redis.url, strange);
    }
    await announce(cluster.urlOf(1), { count: 10, from: 11 });
    await audience.heard(20);
    audience.streams.forEach((stream) => stream.lose());
    await announce(cluster.urlOf(2), { count: 10, from: 21 });
    await audience.heard(30);
    await load.goOn();
    expect(audience.histories).toEqual([range(1, 30)]);
    expect(load.failures).toEqual([]);
  }, 180_000);

  /** Appends to the log, and sends to all, as a process does whose package is of another version. */
  async function writeStrange(url: string, text: string): Promise<void> {
    const client = new Redis(url);
    const engine = redisCluster({ client, prefix: 'versions' });
    const ignore = () => undefined;
    const member = { onEntry: ignore, onMessage: ignore, onGap: ignore, onConnection: ignore };
    const connection = await engine.join({ ...member, id: randomBytes(8).toString('hex'), server: SERVER });
    await connection.append(text);
    expect(await connection.send(text)).toBeGreaterThan(0);
    await connection.close();
    client.disconnect();
  }
});
