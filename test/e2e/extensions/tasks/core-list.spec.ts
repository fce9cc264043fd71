import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../support/clients/message.js';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import { until } from '../../../support/until.js';
import { coreClient, serviceClient, type SessionTaskClient } from '../../../support/clients/task-wires.js';

/** Tasks of one millisecond are in the order of their ids. */
const SOON_MS = 5;

describe('The list of tasks of 2025-11-25', () => {
  let desk: TaskDesk;

  beforeAll(async () => {
    desk = await bootTaskDesk();
  });

  afterAll(() => desk.close());

  async function listAll(client: SessionTaskClient): Promise<JsonObject[][]> {
    const pages: JsonObject[][] = [];
    let cursor: unknown;
    do {
      const { result } = await client.send('tasks/list', cursor === undefined ? {} : { cursor });
      pages.push(result?.['tasks'] as JsonObject[]);
      cursor = result?.['nextCursor'];
    } while (cursor !== undefined);
    return pages;
  }

  it('is empty before the first task, and has those that are over as well (TASK-04)', async () => {
    const client = await coreClient(desk.url);
    expect(await listAll(client)).toEqual([[]]);
    const { taskId } = await client.create('refuse');
    await client.reach(taskId);
    expect(await listAll(client)).toMatchObject([[{ taskId, status: 'failed', ttl: 3_600_000 }]]);
  });

  it('comes page by page, in the order of creation, each task once (TASK-04) (CORE-04)', async () => {
    const client = await coreClient(desk.url);
    const created: unknown[] = [];
    for (let count = 0; count < 205; count += 1) created.push((await client.create('refuse'))['taskId']);
    const pages = await listAll(client);
    expect(pages.map((page) => page.length)).toEqual([100, 100, 5]);
    const listed = pages.flat().map(({ taskId }) => taskId);
    expect(new Set(listed)).toEqual(new Set(created));
    expect(listed.slice(0, 50).every((taskId) => created.indexOf(taskId) < 60)).toBe(true);
  });

  it('shows a session its own tasks alone (TASK-04) (TASK-07)', async () => {
    const [one, other] = await Promise.all([coreClient(desk.url), coreClient(desk.url)]);
    const { taskId } = await one.create('refuse');
    expect(await listAll(other)).toEqual([[]]);
    expect(await listAll(one)).toMatchObject([[{ taskId }]]);
  });

  it('takes cursors alone that it gave (TASK-04) (CORE-04)', async () => {
    const client = await coreClient(desk.url);
    const service = await serviceClient(desk.url);
    const { requestState } = await service.create('refuse');
    for (const cursor of ['', 'page two', 'e30.AAAA', 7, null, requestState]) {
      const { error } = await client.send('tasks/list', { cursor });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('"cursor"') });
    }
  });

  it('goes on behind a task that is gone meanwhile (TASK-04)', async () => {
    const short = await bootTaskDesk({ tasks: { ttlMs: 60_000, workerTimeoutMs: 90 } });
    const client = await coreClient(short.url);
    for (let count = 0; count < 99; count += 1) await client.create('refuse');
    await delay(SOON_MS);
    const { taskId } = await client.create('refuse', {}, { task: { ttl: 2500 } });
    await delay(SOON_MS);
    await client.create('refuse');
    const first = await client.start('tasks/list').result();
    expect((first['tasks'] as JsonObject[]).at(-1)).toMatchObject({ taskId });
    const cursor = first['nextCursor'];
    await until(async () => (await listAll(client)).flat().length === 100, 'the end of a task', 15_000);
    const second = await client.send('tasks/list', { cursor });
    expect(second.result?.['tasks']).toHaveLength(1);
    await short.close();
  });

  it('is none where nobody knows who asks (TASK-04) (TASK-07)', async () => {
    const stateless = await bootTaskDesk({ stateless: true });
    const client = await coreClient(stateless.url);
    const { tasks } = client.session.result['capabilities'] as { tasks: JsonObject };
    expect(tasks).toEqual({ cancel: {}, requests: { tools: { call: {} } } });
    const { taskId } = await client.create('refuse');
    expect(await client.reach(taskId)).toMatchObject({ status: 'failed' });
    expect((await client.send('tasks/list')).error?.code).toBe(-32601);
    await stateless.close();
  });
});
