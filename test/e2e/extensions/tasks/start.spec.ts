import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { initialize, perRequest } from '../../../support/clients/json-rpc.js';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import {
  coreClient,
  publishedClient,
  serviceClient,
  TASK_CLIENT,
  textOfTask,
  type TaskClient,
} from '../../../support/clients/task-wires.js';

describe('McpTasks.start', () => {
  let desk: TaskDesk;

  beforeAll(async () => {
    desk = await bootTaskDesk();
  });

  afterAll(() => desk.close());

  const CLIENTS: readonly (readonly [string, (url: string) => TaskClient | Promise<TaskClient>])[] = [
    ['of the stateless wire', (url) => publishedClient(url)],
    ['of a session that declared the extension', (url) => serviceClient(url)],
  ];

  it.each(CLIENTS)('goes on as a task for a client %s (TASK-01)', async (wire, connect) => {
    const client = await connect(desk.url);
    const created = await client.create('start', { name: wire });
    expect(created).toMatchObject({ resultType: 'task', ttlMs: 3_600_000 });
    expect(created).not.toHaveProperty('content');
    await desk.tools.gates.at(wire).reached();
    expect(await client.get(created['taskId'])).toMatchObject({ statusMessage: 'Counting' });
    desk.tools.gates.at(wire).open();
    const ended = await client.reach(created['taskId']);
    expect(ended).toMatchObject({ result: { structuredContent: { total: wire.length } } });
  });

  it('goes on within the call for a client that takes no tasks (TASK-01)', async () => {
    desk.tools.gates.at('plain').open();
    const call = { name: 'start', arguments: { name: 'plain' } };
    const session = await initialize(desk.url);
    const results = await Promise.all([
      perRequest(desk.url).request('tools/call', call),
      session.request('tools/call', call),
    ]);
    for (const { result } of results) {
      expect(result).toMatchObject({ structuredContent: { total: 5 } });
      expect(result).not.toHaveProperty('taskId');
    }
  });

  it('is nothing that a client of 2025-11-25 can ask for: the tool says nothing of tasks (TASK-04)', async () => {
    const client = await coreClient(desk.url);
    expect((await client.call('start', { name: 'any' })).error?.code).toBe(-32601);
  });

  it('comes after the questions of the call, which are asked within it (TASK-01) (REV-02)', async () => {
    const client = perRequest(desk.url, { capabilities: TASK_CLIENT });
    const asked = await client.request('tools/call', { name: 'askThenWait' });
    expect(asked.result).toMatchObject({ resultType: 'input_required', inputRequests: { word: {} } });
    const answered = await client.request('tools/call', {
      name: 'askThenWait',
      requestState: asked.result?.['requestState'],
      inputResponses: { word: { action: 'accept', content: { word: 'asked-first' } } },
    });
    expect(answered.result).toMatchObject({ resultType: 'task', status: 'working' });
    desk.tools.gates.at('asked-first').open();
    const ended = await publishedClient(desk.url).reach(answered.result?.['taskId']);
    expect(textOfTask(ended)).toBe('asked-first is done, the call has no task');
  });

  it('can be cancelled as any task (TASK-01) (TASK-02)', async () => {
    const client = publishedClient(desk.url);
    const { taskId } = await client.create('start', { name: 'dropped' });
    await desk.tools.gates.at('dropped').reached();
    await client.send('tasks/cancel', { taskId });
    expect(await client.reach(taskId)).toMatchObject({ status: 'cancelled' });
  });
});
