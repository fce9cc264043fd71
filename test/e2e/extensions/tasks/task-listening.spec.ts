import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { perRequest } from '../../../support/clients/json-rpc.js';
import { metaKey } from '../../../support/clients/message.js';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import {
  publishedClient,
  TASK_CLIENT,
  TASKS,
  type PublishedClient,
} from '../../../support/clients/task-wires.js';

describe('A subscription to tasks, on the stateless wire', () => {
  let desk: TaskDesk;
  let client: PublishedClient;

  beforeAll(async () => {
    desk = await bootTaskDesk();
    client = publishedClient(desk.url);
  });

  afterAll(() => desk.close());

  it('says which tasks it honors, and knows no others (TASK-05) (TASK-07)', async () => {
    const { taskId } = await client.create('wait', { name: 'honored' });
    const taskIds = [taskId, 'nothing', taskId];
    const stream = await client.client
      .start('subscriptions/listen', { notifications: { taskIds, toolsListChanged: true } }, { id: 'mine' })
      .stream();
    const { params } = await stream.nextMessage();
    expect(params).toEqual({
      notifications: { taskIds: [taskId], toolsListChanged: true },
      _meta: { [metaKey('subscriptionId')]: 'mine' },
    });
    await stream.close();
    desk.tools.gates.at('honored').open();
  });

  it('tells of every transition with the whole task, as a look at it would show (TASK-05) (TASK-02)', async () => {
    const { taskId } = await client.create('ask');
    const stream = await client.listen([taskId]);
    const asking = await stream.nextMessage(({ params }) => params?.['status'] === 'input_required');
    const { _meta: asked, resultType: _type, ...looked } = await client.get(taskId);
    expect(asked).toBeDefined();
    expect(asking).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tasks',
      params: { ...looked, _meta: { [metaKey('subscriptionId')]: expect.anything() } },
    });
    await client.send('tasks/update', { taskId, inputResponses: { word: { action: 'cancel' } } });
    const ended = await stream.nextMessage(({ params }) => params?.['status'] === 'completed');
    expect(ended.params).toMatchObject({ taskId, result: { content: [{ text: 'No word: cancel' }] } });
    const statuses = stream.messages
      .filter(({ method }) => method === 'notifications/tasks')
      .map(({ params }) => params?.['status']);
    expect(statuses.filter((status, index) => status !== statuses[index - 1])).toEqual([
      'input_required',
      'working',
      'completed',
    ]);
    await stream.close();
  });

  it('carries neither progress nor log entries of its tasks (TASK-05) (TASK-06)', async () => {
    const name = 'quiet';
    const meta = { progressToken: 'steps', [metaKey('logLevel')]: 'debug' };
    const { taskId } = await client.create('report', { name }, { _meta: meta });
    const stream = await client.listen([taskId]);
    desk.tools.gates.at(name).open();
    await stream.nextMessage(({ params }) => params?.['status'] === 'completed');
    expect(new Set(stream.messages.map(({ method }) => method))).toEqual(
      new Set(['notifications/subscriptions/acknowledged', 'notifications/tasks']),
    );
    await stream.close();
  });

  it('tells of a task that is over how it ended, and then nothing (TASK-05)', async () => {
    const { taskId } = await client.create('refuse');
    await client.reach(taskId);
    const stream = await client.listen([taskId]);
    const told = await stream.nextNotification('notifications/tasks');
    expect(told.params).toMatchObject({ taskId, status: 'completed', result: { isError: true } });
    await stream.close();
  });

  it('tells of its own tasks alone (TASK-05)', async () => {
    const [mine, other] = await Promise.all(['mine', 'other'].map((name) => client.create('wait', { name })));
    const stream = await client.listen([mine?.['taskId']]);
    desk.tools.gates.at('other').open();
    await client.reach(other?.['taskId']);
    desk.tools.gates.at('mine').open();
    await stream.nextMessage(({ params }) => params?.['status'] === 'completed');
    const named = stream.messages.filter(({ method }) => method === 'notifications/tasks');
    expect(new Set(named.map(({ params }) => params?.['taskId']))).toEqual(new Set([mine?.['taskId']]));
    await stream.close();
  });

  it('is refused to a client that does not declare the extension (TASK-05) (CAP-03)', async () => {
    const params = { notifications: { taskIds: ['any'] } };
    const { status, error } = await perRequest(desk.url).request('subscriptions/listen', params);
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
    });
  });

  it.each([
    ['a text', 'task'],
    ['numbers', [1]],
    ['too many', Array(1001).fill('task')],
  ])('is refused where tasks are named by %s (TASK-05)', async (_case, taskIds) => {
    const params = { notifications: { taskIds } };
    const { error } = await client.client.request('subscriptions/listen', params);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('taskIds') });
  });

  it('acknowledges none where none is the client’s (TASK-05) (TASK-07)', async () => {
    const stream = await perRequest(desk.url, { capabilities: TASK_CLIENT })
      .start('subscriptions/listen', { notifications: { taskIds: ['nothing'] } })
      .stream();
    expect((await stream.nextMessage()).params).toMatchObject({ notifications: { taskIds: [] } });
    await stream.close();
  });
});
