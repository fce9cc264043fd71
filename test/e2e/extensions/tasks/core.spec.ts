import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { initialize } from '../../../support/clients/json-rpc.js';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import { coreClient, type SessionTaskClient } from '../../../support/clients/task-wires.js';
import { until } from '../../../support/until.js';

describe('A task of 2025-11-25', () => {
  let desk: TaskDesk;
  let client: SessionTaskClient;

  beforeAll(async () => {
    desk = await bootTaskDesk({ tasks: { maxTtlMs: 100_000 } });
    client = await coreClient(desk.url);
  });

  afterAll(() => desk.close());

  it('is offered with the tools that take part, and in no other revision (TASK-04)', async () => {
    expect(client.session.result).toMatchObject({
      capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    });
    const { result } = await client.send('tools/list');
    const tools = result?.['tools'] as { name: string; execution?: { taskSupport?: string } }[];
    const support = (name: string) => tools.find((tool) => tool.name === name)?.execution?.taskSupport;
    expect([support('wait'), support('must'), support('never'), support('greet')]).toEqual([
      'optional',
      'required',
      'forbidden',
      undefined,
    ]);
    const older = await initialize(desk.url, { version: '2025-06-18' });
    expect(older.result['capabilities']).not.toHaveProperty('tasks');
  });

  it('is the answer to a call that asks for it (TASK-04) (TASK-02)', async () => {
    const { result } = await client.call('wait', { name: 'created' });
    expect(result).toEqual({
      task: {
        taskId: expect.stringMatching(/^[\w-]{32}$/),
        status: 'working',
        createdAt: expect.any(String),
        lastUpdatedAt: expect.any(String),
        ttl: 100_000,
        pollInterval: 20,
      },
    });
    desk.tools.gates.at('created').open();
  });

  it('is not begun where it is not asked for (TASK-04)', async () => {
    desk.tools.gates.at('direct').open();
    const { result } = await client.send('tools/call', { name: 'wait', arguments: { name: 'direct' } });
    expect(result).toMatchObject({ content: [{ text: 'direct is done' }] });
  });

  it.each([
    [5_000, 5_000],
    [200_000, 100_000],
    [0, 100_000],
    [-1, 100_000],
    ['5000', 100_000],
    [1.5, 100_000],
    [null, 100_000],
  ])('asked to be kept for %j ms is kept for %d (TASK-04) (TASK-02)', async (ttl, granted) => {
    expect(await client.create('refuse', {}, { task: { ttl } })).toMatchObject({ ttl: granted });
  });

  it('is over when its tool failed of itself, and then is called failed (TASK-04)', async () => {
    const { taskId } = await client.create('refuse');
    expect(await client.reach(taskId)).toMatchObject({ taskId, status: 'failed' });
    const { result } = await client.send('tasks/result', { taskId });
    expect(result).toMatchObject({ isError: true, content: [{ text: 'There is no paper' }] });
  });

  it('is cancelled, and shown so in the answer; but not twice (TASK-04)', async () => {
    const { taskId } = await client.create('wait', { name: 'cancelled' });
    await desk.tools.gates.at('cancelled').reached();
    const { result } = await client.send('tasks/cancel', { taskId });
    expect(result).toMatchObject({ taskId, status: 'cancelled', ttl: 100_000 });
    await until(() => desk.tools.aborted.has('cancelled'), 'the abort');
    const again = await client.send('tasks/cancel', { taskId });
    expect(again.error).toEqual({
      code: -32602,
      message: 'Invalid params: The task has already ended: its status is "cancelled"',
    });
    const waited = await client.send('tasks/result', { taskId });
    expect(waited.error?.code).toBe(-32602);
  });

  it('is not cancelled by a notification for its call (TASK-04)', async () => {
    const call = client.start('tools/call', {
      name: 'wait',
      arguments: { name: 'going-on' },
      task: {},
    });
    const { taskId } = (await call.result())['task'] as { taskId: string };
    await client.session.notify('notifications/cancelled', { requestId: call.id });
    desk.tools.gates.at('going-on').open();
    expect(await client.reach(taskId)).toMatchObject({ status: 'completed' });
  });

  it.each(['tasks/get', 'tasks/result', 'tasks/cancel'])(
    'is looked for by %s, which knows no other (TASK-04)',
    async (method) => {
      expect((await client.send(method, { taskId: 'nothing' })).error?.code).toBe(-32602);
      expect((await client.send(method, {})).error?.code).toBe(-32602);
      expect((await client.send(method, { taskId: 7 })).error?.code).toBe(-32602);
    },
  );

  it('has no update: what it asks is asked by requests (TASK-04)', async () => {
    const { error } = await client.send('tasks/update', { taskId: 'any', inputResponses: {} });
    expect(error?.code).toBe(-32601);
  });

  it('is not asked for in a revision before (TASK-04)', async () => {
    const older = await initialize(desk.url, { version: '2025-06-18' });
    const params = { name: 'greet', arguments: { name: 'Ada' }, task: {} };
    expect((await older.request('tools/call', params)).result).toMatchObject({
      content: [{ text: 'Hello, Ada!' }],
    });
    expect((await older.request('tasks/list')).error?.code).toBe(-32601);
  });

  it('is told of on the standing stream, in the shape of its revision (TASK-04)', async () => {
    const own = await coreClient(desk.url);
    const stream = await own.session.openStream();
    const { taskId } = await own.create('ask');
    const told = await stream.nextNotification('notifications/tasks/status');
    expect(told.params).toMatchObject({ taskId, status: 'input_required', ttl: 100_000 });
    expect(told.params).not.toHaveProperty('inputRequests');
    expect(told.params).not.toHaveProperty('requestState');
    await own.send('tasks/cancel', { taskId });
    const ended = await stream.nextNotification('notifications/tasks/status');
    expect(ended.params).toMatchObject({ taskId, status: 'cancelled' });
    await stream.close();
  });

  it('has its progress and log entries related to it on the standing stream (TASK-04) (TASK-06)', async () => {
    const own = await coreClient(desk.url);
    const stream = await own.session.openStream();
    const meta = { _meta: { progressToken: 'steps' } };
    const { taskId } = await own.create('report', { name: 'related' }, meta);
    const related = { 'io.modelcontextprotocol/related-task': { taskId } };
    const progress = await stream.nextNotification('notifications/progress');
    expect(progress.params).toMatchObject({ progressToken: 'steps', progress: 1, _meta: related });
    const status = await stream.nextNotification('notifications/tasks/status');
    expect(status.params).toMatchObject({ statusMessage: 'Half of it is there' });
    desk.tools.gates.at('related').open();
    const later = await stream.nextNotification('notifications/progress');
    expect(later.params).toMatchObject({ progressToken: 'steps', progress: 2, _meta: related });
    await stream.close();
  });
});
