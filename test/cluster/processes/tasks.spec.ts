import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../support/clients/message.js';
import {
  coreClient,
  publishedClient,
  serviceClient,
  sseTaskClient,
  TASK_CLIENT,
  textOfTask,
  type TaskClient,
} from '../../support/clients/task-wires.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { neverTwice } from '../../support/cluster/balancer.js';
import { endAfterEach } from '../../support/cluster/end-after-each.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until } from '../../support/until.js';

const LONG_MS = 30_000;

let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start({ choose: neverTwice() });
}, 120_000);

afterAll(() => cluster.stop());

const hasPrinted = (text: string) => cluster.processes.some(({ stdout }) => stdout.includes(text));

const begin = endAfterEach();

const connectSse = (version: string, capabilities: JsonObject = TASK_CLIENT) =>
  begin(SseClient.connect(`${cluster.balancer.origin}/sse`, { version, capabilities }));

const WAYS: readonly [string, (url: string) => Promise<TaskClient>][] = [
  ['the published extension', async (url) => publishedClient(url)],
  ['the extension in a session', (url) => serviceClient(url)],
  ['tasks of 2025-11-25', (url) => coreClient(url)],
  ['the extension over HTTP+SSE', async () => sseTaskClient(await connectSse('2024-11-05'))],
  [
    'tasks of 2025-11-25 over HTTP+SSE',
    async () => sseTaskClient(await connectSse('2025-11-25', { elicitation: {} }), { task: {} }),
  ],
];

describe.each(WAYS)('A client of %s, no two requests of which reach the same process', (way, connect) => {
  it('sees its tasks, and their results (RELAY-09)', async () => {
    const client = await connect(cluster.url);
    const created = await Promise.all(
      Array.from({ length: 12 }, (_, count) => client.create('job', { name: `job${count}`, ms: 20 })),
    );
    for (const [count, { taskId }] of created.entries()) {
      expect(await client.reach(taskId)).toMatchObject({ status: 'completed' });
      const shown = way.includes('2025')
        ? (await client.send('tasks/result', { taskId })).result
        : await client.get(taskId);
      expect(textOfTask(shown ?? {})).toMatch(new RegExp(`^job${count} at`));
    }
  });

  it('cancels a task (RELAY-09)', async () => {
    const client = await connect(cluster.url);
    const name = `long ${way}`;
    const { taskId } = await client.create('job', { name, ms: 600_000 });
    await until(() => hasPrinted(`begun ${name}.`), 'the beginning', LONG_MS);
    await client.send('tasks/cancel', { taskId });
    await until(() => hasPrinted(`stopped ${name}.`), 'the end', LONG_MS);
    expect(await client.get(taskId)).toMatchObject({ status: 'cancelled' });
  });
});

describe('A task', () => {
  it('that asks is answered through any process (RELAY-09)', async () => {
    const client = publishedClient(cluster.url);
    const { taskId } = await client.create('askAtWork');
    await client.reach(taskId, 'input_required');
    const word = { action: 'accept', content: { word: 'verso' } };
    await client.send('tasks/update', { taskId, inputResponses: { word } });
    expect(textOfTask(await client.reach(taskId))).toMatch(/^verso at/);
  });

  it('is told of on the streams of other processes (RELAY-09)', async () => {
    const [here, there] = [publishedClient(cluster.urlOf(0)), publishedClient(cluster.urlOf(1))];
    const { taskId } = await here.create('job', { name: 'watched', ms: 500 });
    const listening = await there.listen([taskId]);
    const told = await listening.nextMessage(({ params }) => params?.['status'] === 'completed', LONG_MS);
    expect(told.params).toMatchObject({ taskId });
    await listening.close();
  });

  it.each(['2024-11-05', '2025-11-25'])(
    'is told of on the one stream of HTTP+SSE, in %s, and asks there (RELAY-09) (RELAY-01)',
    async (version) => {
      const client = await connectSse(version);
      const tasks = sseTaskClient(client);
      const isTold = (taskId: unknown, status: string) =>
        client.stream.nextMessage(
          ({ method, params }) =>
            method === 'notifications/tasks/status' &&
            params?.['taskId'] === taskId &&
            params?.['status'] === status,
          LONG_MS,
        );
      const { taskId } = await tasks.create('job', { name: `told ${version}`, ms: 50 });
      await isTold(taskId, 'completed');
      const asking = await tasks.create('askAtWork');
      await isTold(asking['taskId'], 'input_required');
      const word = { action: 'accept', content: { word: 'verso' } };
      await tasks.send('tasks/update', { taskId: asking['taskId'], inputResponses: { word } });
      expect(textOfTask(await tasks.reach(asking['taskId']))).toMatch(/^verso at/);
    },
  );

  it('is waited for in another process (RELAY-09)', async () => {
    const client = await coreClient(cluster.urlOf(0));
    const { taskId } = await client.create('job', { name: 'awaited', ms: 500 });
    const { result } = await client.session.at(cluster.urlOf(1)).request('tasks/result', { taskId });
    expect(textOfTask(result ?? {})).toMatch(/^awaited at/);
  });

  it('is listed by another process, and by no other session (RELAY-09)', async () => {
    const [client, stranger] = [await coreClient(cluster.urlOf(0)), await coreClient(cluster.urlOf(0))];
    const { taskId } = await client.create('job', { name: 'listed', ms: 1 });
    const list = async ({ session }: typeof client) =>
      JSON.stringify((await session.at(cluster.urlOf(2)).request('tasks/list')).result ?? {});
    expect(await list(client)).toContain(String(taskId));
    expect(await list(stranger)).not.toContain(String(taskId));
  });
});
