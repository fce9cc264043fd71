import { describe, expect, it } from '@jest/globals';
import type { TaskRecord } from 'nestjs-mcp';
import { bootTaskDesk } from '../../../support/applications/task-desk.js';
import { coreClient, publishedClient } from '../../../support/clients/task-wires.js';
import { until } from '../../../support/until.js';

describe('The life of tasks', () => {
  it('ends with their time to live: nobody finds them then (TASK-02)', async () => {
    const desk = await bootTaskDesk({ tasks: { ttlMs: 1500, workerTimeoutMs: 60 } });
    const client = publishedClient(desk.url);
    const created = await client.create('refuse');
    expect(created).toMatchObject({ ttlMs: 1500 });
    expect(await client.reach(created['taskId'])).toMatchObject({ status: 'completed' });
    const error = await until(
      async () => (await client.send('tasks/get', { taskId: created['taskId'] })).error,
      'the end of the task',
    );
    expect(error).toEqual({
      code: -32602,
      message: 'Invalid params: "taskId" refers to a task that does not exist or has expired',
    });
    await until(async () => (await desk.tasks.find(String(created['taskId']))) === undefined, 'its removal');
    await desk.close();
  });

  it('is counted in a queue: the others wait, and may be cancelled there (TASK-02)', async () => {
    const desk = await bootTaskDesk({ tasks: { concurrency: 1 } });
    const client = publishedClient(desk.url);
    const first = await client.create('wait', { name: 'first' });
    const second = await client.create('wait', { name: 'second' });
    const third = await client.create('wait', { name: 'third' });
    await desk.tools.gates.at('first').reached();
    await client.send('tasks/cancel', { taskId: second['taskId'] });
    expect(await client.get(second['taskId'])).toMatchObject({ status: 'cancelled' });
    expect(await client.get(third['taskId'])).toMatchObject({ status: 'working' });
    for (const name of ['first', 'second', 'third']) desk.tools.gates.at(name).open();
    await client.reach(first['taskId']);
    expect(await client.reach(third['taskId'])).toMatchObject({ status: 'completed' });
    expect([...desk.tools.calls.keys()]).toEqual(['first', 'third']);
    await desk.close();
  });

  it('ends in the queue where that takes too long (TASK-02)', async () => {
    const desk = await bootTaskDesk({ tasks: { concurrency: 1, workerTimeoutMs: 60 } });
    const client = await coreClient(desk.url);
    await client.create('wait', { name: 'running' });
    const { taskId } = await client.create('wait', { name: 'waiting' }, { task: { ttl: 150 } });
    expect(await client.reach(taskId)).toMatchObject({
      status: 'failed',
      statusMessage: 'The task exceeded its time to live',
    });
    desk.tools.gates.at('running').open();
    await desk.close();
    expect([...desk.tools.calls.keys()]).toEqual(['running']);
  });

  it('is bounded in number: more are refused until one ends (TASK-02)', async () => {
    const desk = await bootTaskDesk({ tasks: { maxTasks: 2 } });
    const client = publishedClient(desk.url);
    const [first] = [
      await client.create('wait', { name: 'one' }),
      await client.create('wait', { name: 'two' }),
    ];
    const { error, result } = await client.call('wait', { name: 'three' });
    expect(error ?? result).toMatchObject({
      code: -32603,
      message: expect.stringContaining('too many unfinished tasks'),
    });
    await client.send('tasks/cancel', { taskId: first?.['taskId'] });
    expect(await client.create('wait', { name: 'four' })).toMatchObject({ status: 'working' });
    await desk.close();
  });

  it('can be watched by the application, which may end them too (TASK-02)', async () => {
    const desk = await bootTaskDesk();
    const seen: string[] = [];
    desk.tasks.changes$.subscribe(({ status }) => seen.push(status));
    const client = publishedClient(desk.url);
    const { taskId } = await client.create('ask');
    await client.reach(taskId, 'input_required');
    expect(await desk.tasks.cancel(String(taskId))).toMatchObject({ status: 'cancelled' });
    expect(await desk.tasks.cancel(String(taskId))).toMatchObject({ status: 'cancelled' });
    expect(await desk.tasks.cancel('nothing')).toBeUndefined();
    expect(await client.get(taskId)).toMatchObject({ status: 'cancelled' });
    expect(seen).toEqual(['working', 'input_required', 'cancelled']);
    await desk.close();
  });

  it('ends with the application, with a reason; whoever waits hears it (TASK-02) (MOD-12)', async () => {
    const desk = await bootTaskDesk();
    const ended: TaskRecord[] = [];
    desk.tasks.changes$.subscribe((record) => void (record.status !== 'working' && ended.push(record)));
    const client = await coreClient(desk.url);
    const { taskId } = await client.create('wait', { name: 'closing' });
    await desk.tools.gates.at('closing').reached();
    const waiting = client.start('tasks/result', { taskId });
    await client.get(taskId);
    const [answer] = await Promise.all([waiting.answer(), desk.close()]);
    expect(answer.error).toEqual({ code: -32603, message: 'The server was shut down' });
    expect(ended).toMatchObject([
      { taskId, status: 'failed', error: { code: -32603, message: 'The server was shut down' } },
    ]);
    expect(desk.tools.aborted.get('closing')).toContain('failed');
  });
});
