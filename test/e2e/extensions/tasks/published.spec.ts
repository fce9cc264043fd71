import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../../support/applications/boot.js';
import { perRequest } from '../../../support/clients/json-rpc.js';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import {
  publishedClient,
  TASKS,
  textOfTask,
  type PublishedClient,
} from '../../../support/clients/task-wires.js';
import { until } from '../../../support/until.js';

describe.each(ADAPTERS)('A task of the published extension, on %s', (adapter) => {
  let desk: TaskDesk;
  let client: PublishedClient;

  beforeAll(async () => {
    desk = await bootTaskDesk({}, { adapter });
    client = publishedClient(desk.url);
  });

  afterAll(() => desk.close());

  it('is the answer to its call, and nothing of its end is in it (TASK-01) (TASK-02)', async () => {
    const { status, result } = await client.call('wait', { name: 'created' });
    expect(status).toBe(200);
    expect(result).toEqual({
      resultType: 'task',
      taskId: expect.stringMatching(/^[\w-]{32}$/),
      status: 'working',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      lastUpdatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      ttlMs: 3_600_000,
      pollIntervalMs: 20,
      _meta: expect.anything(),
    });
    desk.tools.gates.at('created').open();
  });

  it('can be looked at as soon as it is known, and has its result in the end (TASK-01) (TASK-02)', async () => {
    const { taskId } = await client.create('wait', { name: 'looked-at' });
    expect(await client.get(taskId)).toMatchObject({ resultType: 'complete', taskId, status: 'working' });
    desk.tools.gates.at('looked-at').open();
    const ended = await client.reach(taskId);
    expect(ended).toMatchObject({ resultType: 'complete', status: 'completed' });
    expect(textOfTask(ended)).toBe('looked-at is done');
    expect(ended).not.toHaveProperty('requestState');
    expect(ended).not.toHaveProperty('completedAt');
    expect(ended).not.toHaveProperty('inputRequests');
  });

  it('asks by its status, and goes on with the answer (TASK-01) (TASK-02)', async () => {
    const { taskId } = await client.create('ask');
    const asking = await client.reach(taskId, 'input_required');
    expect(asking['inputRequests']).toEqual({
      word: {
        method: 'elicitation/create',
        params: expect.objectContaining({ message: 'Which word?', requestedSchema: expect.anything() }),
      },
    });
    expect(await client.get(taskId)).toMatchObject({ inputRequests: asking['inputRequests'] });
    const word = { action: 'accept', content: { word: 'plume' } };
    const updated = await client.send('tasks/update', { taskId, inputResponses: { word } });
    expect(updated.result).toEqual({ resultType: 'complete', _meta: expect.anything() });
    const ended = await client.reach(taskId);
    expect(textOfTask(ended)).toBe('The word is plume');
    expect(ended).not.toHaveProperty('inputRequests');
  });

  it('takes some answers, and waits for the others; what it did not ask it leaves (TASK-01)', async () => {
    const { taskId } = await client.create('askBoth');
    await client.reach(taskId, 'input_required');
    const unknown = { other: { action: 'accept' }, toString: {}, constructor: {} };
    await client.send('tasks/update', { taskId, inputResponses: unknown });
    const word = { action: 'decline' };
    await client.send('tasks/update', { taskId, inputResponses: { word, other: {} } });
    const waiting = await client.get(taskId);
    expect(waiting).toMatchObject({ status: 'input_required' });
    expect(Object.keys(waiting['inputRequests'] as object)).toEqual(['poem']);
    const again = { word: { action: 'accept', content: { word: 'late' } } };
    await client.send('tasks/update', { taskId, inputResponses: again });
    const poem = { role: 'assistant', content: { type: 'text', text: 'Ode' }, model: 'poet' };
    await client.send('tasks/update', { taskId, inputResponses: { poem } });
    const given = JSON.parse(textOfTask(await client.reach(taskId)));
    expect(given).toMatchObject({ word: { action: 'decline' }, poem: { model: 'poet' } });
  });

  it('asks again under another name where the answer is wrong (TASK-01)', async () => {
    const { taskId } = await client.create('ask');
    await client.reach(taskId, 'input_required');
    const wrong = { word: { action: 'accept', content: { word: 7 } } };
    await client.send('tasks/update', { taskId, inputResponses: wrong });
    const asking = await until(async () => {
      const task = await client.get(taskId);
      return task['status'] === 'input_required' && task;
    }, 'the second question');
    const keys = Object.keys(asking['inputRequests'] as object);
    expect(keys).toEqual(['word-2']);
    const right = { [String(keys[0])]: { action: 'accept', content: { word: 'quill' } } };
    await client.send('tasks/update', { taskId, inputResponses: right });
    expect(textOfTask(await client.reach(taskId))).toBe('The word is quill');
  });

  it('is cancelled while it runs, and its handler is aborted (TASK-01) (TASK-02)', async () => {
    const { taskId } = await client.create('wait', { name: 'cancelled' });
    await desk.tools.gates.at('cancelled').reached();
    const { result } = await client.send('tasks/cancel', { taskId });
    expect(result).toEqual({ resultType: 'complete', _meta: expect.anything() });
    const ended = await client.reach(taskId);
    expect(ended).toMatchObject({ status: 'cancelled' });
    expect(ended).not.toHaveProperty('result');
    expect(ended).not.toHaveProperty('error');
    expect(await until(() => desk.tools.aborted.get('cancelled'), 'the abort')).toContain('cancelled');
  });

  it('is cancelled while it asks, and asks no more (TASK-02)', async () => {
    const { taskId } = await client.create('ask');
    await client.reach(taskId, 'input_required');
    await client.send('tasks/cancel', { taskId });
    const ended = await client.get(taskId);
    expect(ended).toMatchObject({ status: 'cancelled' });
    expect(ended).not.toHaveProperty('inputRequests');
  });

  it('stays as it ended: a cancellation and an answer are acknowledged, and change nothing (TASK-02)', async () => {
    const { taskId } = await client.create('refuse');
    const ended = await client.reach(taskId);
    const cancelled = await client.send('tasks/cancel', { taskId });
    const updated = await client.send('tasks/update', { taskId, inputResponses: { word: {} } });
    for (const { result } of [cancelled, updated]) {
      expect(result).toEqual({ resultType: 'complete', _meta: expect.anything() });
    }
    expect(await client.get(taskId)).toEqual(ended);
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'is looked for by %s, which knows no other (TASK-01)',
    async (method) => {
      const unknown = await client.send(method, { taskId: 'nothing', inputResponses: {} });
      expect(unknown.error).toEqual({ code: -32602, message: expect.stringContaining('"taskId"') });
      const missing = await client.send(method, { inputResponses: {} });
      expect(missing.error?.code).toBe(-32020);
      expect(missing.status).toBe(400);
    },
  );

  it.each([[undefined], ['words'], [[1]], [null]])(
    'takes no answers that are %j (TASK-01)',
    async (inputResponses) => {
      const { taskId } = await client.create('ask');
      const { error } = await client.send('tasks/update', {
        taskId,
        ...(inputResponses !== undefined && { inputResponses }),
      });
      expect(error).toEqual({ code: -32602, message: 'Invalid params: "inputResponses" must be an object' });
      await client.send('tasks/cancel', { taskId });
    },
  );

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'needs its name in the header of %s, as the body has it (TASK-01)',
    async (method) => {
      const { taskId } = await client.create('refuse');
      const params = { taskId, inputResponses: {} };
      for (const name of [undefined, 'another', `${String(taskId)}x`]) {
        const { status, error } = await client.client.request(method, params, {
          headers: { 'mcp-name': name },
        });
        expect([status, error?.code]).toEqual([400, -32020]);
      }
      expect((await client.client.request(method, params)).status).toBe(200);
    },
  );

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'is nothing to a request of %s that does not declare the extension (TASK-01) (CAP-03)',
    async (method) => {
      const { taskId } = await client.create('refuse');
      const { status, error } = await perRequest(desk.url).request(method, { taskId, inputResponses: {} });
      expect(status).toBe(400);
      expect(error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
      });
    },
  );

  it.each(['tasks/list', 'tasks/result'])(
    'is not reached by %s, which this revision does not have (TASK-04)',
    async (method) => {
      const { status, error } = await client.send(method, { taskId: 'any' });
      expect([status, error?.code]).toEqual([404, -32601]);
    },
  );

  it('is not asked for by the parameter of another revision (TASK-01)', async () => {
    const { result } = await perRequest(desk.url).request('tools/call', {
      name: 'greet',
      arguments: { name: 'Ada' },
      task: { ttl: 1 },
    });
    expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'Hello, Ada!' }] });
  });

  it('has an id that nobody guesses (TASK-07)', async () => {
    const created = await Promise.all(Array.from({ length: 50 }, () => client.create('refuse')));
    const ids = created.map(({ taskId }) => String(taskId));
    expect(new Set(ids).size).toBe(50);
    expect(ids.every((id) => Buffer.from(id, 'base64url').length === 24)).toBe(true);
  });
});
