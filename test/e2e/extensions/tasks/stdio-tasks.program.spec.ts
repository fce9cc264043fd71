import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { metaKey, type JsonObject } from '../../../support/clients/message.js';
import { StdioProgram } from '../../../support/programs/stdio-program.js';
import { TASK_SERVER } from '../../../support/programs/task-program.js';
import { TASK_CLIENT } from '../../../support/clients/task-wires.js';

const META = {
  [metaKey('protocolVersion')]: '2026-07-28',
  [metaKey('clientCapabilities')]: TASK_CLIENT,
};

describe('Tasks over stdio', () => {
  let program: StdioProgram;

  beforeEach(() => {
    program = new StdioProgram(TASK_SERVER, { TRANSPORT: 'stdio' });
  });

  afterEach(() => program.finish());

  const call = async (id: number, method: string, params: JsonObject): Promise<JsonObject> =>
    (await program.request({ id, method, params }))['result'] as JsonObject;
  const told = (method: string, status: string) =>
    program.receives((message) => {
      const params = message['params'] as JsonObject | undefined;
      return message['method'] === method && params?.['status'] === status;
    }, `${method} with ${status}`);

  it('are told of in the session that declared the extension (TASK-03) (TASK-06) (STDIO-01)', async () => {
    await program.initialize(TASK_CLIENT, '2025-06-18');
    const work = { name: 'work', arguments: { name: 'piped', ms: 20 }, _meta: { progressToken: 'p' } };
    const created = await call(1, 'tools/call', work);
    expect(created).toMatchObject({ resultType: 'task', status: 'running' });
    expect(await told('notifications/tasks/status', 'completed')).toMatchObject({
      params: {
        taskId: created['taskId'],
        completedAt: expect.any(String),
        requestState: expect.any(String),
      },
    });
    expect(program.messages).toContainEqual(expect.objectContaining({ method: 'notifications/progress' }));
  });

  it('of 2025-11-25 are created, waited for, asked and cancelled (TASK-04) (STDIO-01)', async () => {
    const { extensions: _extensions, ...capabilities } = TASK_CLIENT;
    await program.initialize(capabilities);
    const { task } = (await call(1, 'tools/call', { name: 'ask', task: {} })) as { task: JsonObject };
    program.send({ jsonrpc: '2.0', id: 2, method: 'tasks/result', params: { taskId: task['taskId'] } });
    const question = await program.receives(({ method }) => method === 'elicitation/create', 'the question');
    program.send({ jsonrpc: '2.0', id: question['id'], result: { action: 'decline' } });
    expect(await program.answer(2)).toMatchObject({ result: { content: [{ text: 'decline' }] } });
    const hanging = { name: 'work', arguments: { name: 'h', ms: 600_000 }, task: {} };
    const other = (await call(3, 'tools/call', hanging)) as { task: JsonObject };
    const { taskId } = other.task;
    expect(await call(4, 'tasks/cancel', { taskId })).toMatchObject({ status: 'cancelled' });
    expect(await call(5, 'tasks/list', {})).toMatchObject({ tasks: [{}, { taskId }] });
    await program.logs('aborted h');
  });

  it('of the stateless wire are looked at and listened to, without any header (TASK-01) (TASK-05) (STDIO-01)', async () => {
    const created = await call(1, 'tools/call', { name: 'ask', _meta: META });
    const { taskId } = created;
    expect(created).toMatchObject({ resultType: 'task', status: 'working' });
    const notifications = { taskIds: [taskId] };
    program.send({
      jsonrpc: '2.0',
      id: 'listen',
      method: 'subscriptions/listen',
      params: { notifications, _meta: META },
    });
    expect(await told('notifications/tasks', 'input_required')).toMatchObject({
      params: { taskId, _meta: { [metaKey('subscriptionId')]: 'listen' } },
    });
    const inputResponses = { word: { action: 'accept', content: { word: 'gutter' } } };
    await call(2, 'tasks/update', { taskId, inputResponses, _meta: META });
    await told('notifications/tasks', 'completed');
    expect(await call(3, 'tasks/get', { taskId, _meta: META })).toMatchObject({
      resultType: 'complete',
      status: 'completed',
      result: { content: [{ text: expect.stringContaining('gutter') }] },
    });
  });

  it('do not keep a process whose input has ended (TASK-02) (STDIO-01)', async () => {
    await program.initialize(TASK_CLIENT);
    await call(1, 'tools/call', { name: 'work', arguments: { name: 'left', ms: 600_000 } });
    await program.logs('begun left');
    expect(await program.finish(10_000)).toBe(0);
    expect(program.stderr).toContain('aborted left');
  });
});
