import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HANDSHAKE_VERSIONS, initialize } from '../../../support/clients/json-rpc.js';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import {
  serviceClient,
  TASKS,
  textOfTask,
  type SessionTaskClient,
} from '../../../support/clients/task-wires.js';
import { until } from '../../../support/until.js';

describe.each(HANDSHAKE_VERSIONS)('A task of a session of %s that declared the extension', (version) => {
  let desk: TaskDesk;
  let client: SessionTaskClient;

  beforeAll(async () => {
    desk = await bootTaskDesk();
  });

  beforeEach(async () => {
    client = await serviceClient(desk.url, { version });
  });

  afterAll(() => desk.close());

  it('is the answer to its call, with a state to bring back (TASK-01) (TASK-03)', async () => {
    expect(client.session.result).toMatchObject({ capabilities: { extensions: { [TASKS]: {} } } });
    const { result } = await client.call('wait', { name: 'created' });
    expect(result).toEqual({
      resultType: 'task',
      taskId: expect.stringMatching(/^[\w-]{32}$/),
      status: 'running',
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
      ttlMs: 3_600_000,
      pollIntervalMs: 20,
      requestState: expect.stringMatching(/^[\w-]+\.[\w-]+$/),
    });
    desk.tools.gates.at('created').open();
  });

  it('is told of at every transition, after its answer too, with all there is to know (TASK-03)', async () => {
    const stream = await client.session.openStream();
    const { taskId } = await client.create('ask');
    const asking = await stream.nextNotification('notifications/tasks/status');
    expect(asking.params).toMatchObject({
      taskId,
      status: 'input_required',
      inputRequests: { word: { method: 'elicitation/create' } },
      requestState: expect.any(String),
    });
    expect(asking.params).not.toHaveProperty('completedAt');
    const word = { action: 'accept', content: { word: 'nib' } };
    await client.send('tasks/update', { taskId, inputResponses: { word } });
    const running = await stream.nextNotification('notifications/tasks/status');
    expect(running.params).toMatchObject({ taskId, status: 'running' });
    const ended = await stream.nextNotification('notifications/tasks/status');
    expect(ended.params).toEqual({
      taskId,
      status: 'completed',
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
      completedAt: ended.params?.['lastUpdatedAt'],
      ttlMs: 3_600_000,
      pollIntervalMs: 1000,
      result: { resultType: 'complete', content: [{ type: 'text', text: 'The word is nib' }] },
      requestState: expect.any(String),
    });
    await stream.close();
  });

  it('is told to have failed, with the error (TASK-03)', async () => {
    const stream = await client.session.openStream();
    const { taskId } = await client.create('break');
    const failed = await stream.nextNotification('notifications/tasks/status');
    expect(failed.params).toMatchObject({
      taskId,
      status: 'failed',
      completedAt: expect.any(String),
      error: { code: -32603, message: 'The press is broken', data: { press: 7 } },
    });
    expect(failed.params).not.toHaveProperty('result');
    await stream.close();
  });

  it('is cancelled, and told so (TASK-01) (TASK-03)', async () => {
    const stream = await client.session.openStream();
    const { taskId } = await client.create('wait', { name: 'cancelled' });
    await desk.tools.gates.at('cancelled').reached();
    expect((await client.send('tasks/cancel', { taskId })).result).toEqual({});
    const { params } = await stream.nextNotification('notifications/tasks/status');
    expect(params).toMatchObject({ taskId, status: 'cancelled', completedAt: expect.any(String) });
    expect(await until(() => desk.tools.aborted.has('cancelled'), 'the abort')).toBe(true);
    expect((await client.send('tasks/cancel', { taskId })).result).toEqual({});
    await stream.close();
  });

  it('brings its own state back, and no other (TASK-03)', async () => {
    const [{ taskId, requestState }, other] = await Promise.all([
      client.create('refuse'),
      client.create('refuse'),
    ]);
    const ended = await client.reach(taskId);
    expect(textOfTask(ended)).toBe('There is no paper');
    for (const state of [requestState, ended['requestState']]) {
      expect((await client.send('tasks/get', { taskId, requestState: state })).result).toMatchObject({
        taskId,
      });
    }
    const text = String(requestState);
    const [body, signature] = text.split('.');
    const forged = Buffer.from(JSON.stringify({ taskId, version: 1 })).toString('base64url');
    const wrong = [
      `${body}.${'A'.repeat(signature?.length ?? 0)}`,
      `${body?.slice(0, -2)}AA.${signature}`,
      `${forged}.${signature?.slice(1)}`,
      `${text}A`,
      String(other['requestState']),
      '',
      7,
      { taskId },
    ];
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      for (const state of wrong) {
        const params = { taskId, requestState: state, inputResponses: {} };
        const { error } = await client.send(method, params);
        expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('"requestState"') });
      }
    }
  });

  it('emits progress by its token and status by its id (TASK-06) (CAP-02)', async () => {
    const stream = await client.session.openStream();
    const meta = { _meta: { progressToken: 'steps' } };
    const { taskId } = await client.create('report', { name: 'both' }, meta);
    await stream.nextNotification('notifications/progress');
    await stream.nextNotification('notifications/tasks/status');
    desk.tools.gates.at('both').open();
    await stream.nextMessage(({ params }) => params?.['status'] === 'completed');
    const told = stream.messages.map(({ method, params }) => [
      method,
      params?.['progressToken'] ?? params?.['taskId'],
      params?.['progress'] ?? params?.['status'],
    ]);
    expect(told.filter(([method]) => method !== 'notifications/message')).toEqual([
      ['notifications/progress', 'steps', 1],
      ['notifications/tasks/status', taskId, 'running'],
      ['notifications/progress', 'steps', 2],
      ['notifications/tasks/status', taskId, 'completed'],
    ]);
    await stream.close();
  });

  it('is told of to its own session alone (TASK-03) (TASK-07)', async () => {
    const other = await serviceClient(desk.url, { version });
    const streams = await Promise.all([client.session.openStream(), other.session.openStream()]);
    const { taskId } = await client.create('refuse');
    await streams[0].nextMessage(({ params }) => params?.['taskId'] === taskId);
    const { taskId: own } = await other.create('refuse');
    await streams[1].nextMessage(({ params }) => params?.['taskId'] === own);
    expect(streams[1].messages.some(({ params }) => params?.['taskId'] === taskId)).toBe(false);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it('does not exist for a session that declared nothing (TASK-01) (CAP-03)', async () => {
    const plain = await initialize(desk.url, { version });
    const called = await plain.request('tools/call', { name: 'refuse' });
    expect(called.result).toMatchObject({ isError: true });
    const update = await plain.request('tasks/update', { taskId: 'any', inputResponses: {} });
    expect(update.error?.code).toBe(-32601);
    const looked = await plain.request('tasks/get', { taskId: 'any' });
    expect(looked.error?.code).toBe(version === '2025-11-25' ? -32602 : -32601);
  });
});
