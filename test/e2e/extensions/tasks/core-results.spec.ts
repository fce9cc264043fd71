import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStream } from '../../../support/clients/event-stream.js';
import type { JsonObject, Message } from '../../../support/clients/message.js';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import { coreClient, type SessionTaskClient } from '../../../support/clients/task-wires.js';
import { until } from '../../../support/until.js';

const RELATED = 'io.modelcontextprotocol/related-task';

describe('The result of a task of 2025-11-25', () => {
  let desk: TaskDesk;
  let client: SessionTaskClient;

  beforeAll(async () => {
    desk = await bootTaskDesk();
    client = await coreClient(desk.url);
  });

  afterAll(() => desk.close());

  const answer = (question: Message, body: JsonObject) =>
    client.session.post({ jsonrpc: '2.0', id: question.id, ...body });
  const nextQuestion = (stream: EventStream) => stream.nextMessage(({ id, method }) => !!id && !!method);

  it('is waited for, and says whose it is (TASK-04)', async () => {
    const { taskId } = await client.create('wait', { name: 'late' });
    const waiting = client.start('tasks/result', { taskId });
    await desk.tools.gates.at('late').reached();
    expect(await client.get(taskId)).toMatchObject({ status: 'working' });
    desk.tools.gates.at('late').open();
    expect(await waiting.result()).toEqual({
      content: [{ type: 'text', text: 'late is done' }],
      _meta: { [RELATED]: { taskId } },
    });
    expect((await client.send('tasks/result', { taskId })).result).toMatchObject({
      content: [{ text: 'late is done' }],
    });
  });

  it('is the error of the call where that failed (TASK-04)', async () => {
    const { taskId } = await client.create('break');
    expect(await client.reach(taskId)).toMatchObject({
      status: 'failed',
      statusMessage: 'The press is broken',
    });
    const { error } = await client.send('tasks/result', { taskId });
    expect(error).toEqual({ code: -32603, message: 'The press is broken', data: { press: 7 } });
  });

  it('is an error where the task is cancelled meanwhile (TASK-04)', async () => {
    const { taskId } = await client.create('wait', { name: 'dropped' });
    const waiting = client.start('tasks/result', { taskId });
    await desk.tools.gates.at('dropped').reached();
    await client.send('tasks/cancel', { taskId });
    expect((await waiting.answer()).error).toEqual({
      code: -32602,
      message: 'Invalid params: The task has no result: its status is "cancelled"',
    });
  });

  it('is asked for what its task asks, on the stream of whoever waits (TASK-04)', async () => {
    const { taskId } = await client.create('ask');
    await client.reach(taskId, 'input_required');
    const stream = await client.start('tasks/result', { taskId }).stream();
    const question = await nextQuestion(stream);
    expect(question).toMatchObject({
      method: 'elicitation/create',
      params: { message: 'Which word?', _meta: { [RELATED]: { taskId } } },
    });
    await answer(question, { result: { action: 'accept', content: { word: 'quire' } } });
    const { result } = await stream.nextMessage((message) => message.result !== undefined);
    expect(result).toMatchObject({ content: [{ text: 'The word is quire' }] });
  });

  it('is asked for again where the answer was wrong (TASK-04)', async () => {
    const { taskId } = await client.create('ask');
    const stream = await client.start('tasks/result', { taskId }).stream();
    await answer(await nextQuestion(stream), { result: { action: 'accept', content: { word: 7 } } });
    await answer(await nextQuestion(stream), { result: { action: 'accept', content: { word: 'ream' } } });
    const { result } = await stream.nextMessage((message) => message.result !== undefined);
    expect(result).toMatchObject({ content: [{ text: 'The word is ream' }] });
  });

  it('fails as its handler says where the client refuses to answer (TASK-04)', async () => {
    const { taskId } = await client.create('ask');
    const stream = await client.start('tasks/result', { taskId }).stream();
    const error = { code: -32603, message: 'No screen' };
    await answer(await nextQuestion(stream), { error });
    const { result } = await stream.nextMessage((message) => message.result !== undefined);
    expect(result).toMatchObject({ isError: true, content: [{ text: 'The client refused to answer' }] });
  });

  it('is asked once, however many wait for it (TASK-04)', async () => {
    const { taskId } = await client.create('ask');
    const stream = await client.start('tasks/result', { taskId }).stream();
    const question = await nextQuestion(stream);
    const others = [1, 2].map(() => client.start('tasks/result', { taskId }));
    await client.get(taskId);
    await answer(question, { result: { action: 'cancel' } });
    const answers = await Promise.all(others.map((call) => call.answer()));
    for (const { notifications, result } of answers) {
      expect(notifications).toEqual([]);
      expect(result).toMatchObject({ content: [{ text: 'No word: cancel' }] });
    }
    await stream.ended;
    expect(stream.messages.filter(({ method }) => method === 'elicitation/create')).toHaveLength(1);
  });

  it('is asked of another who waits already where the one that was asked goes away (TASK-04) (CANC-01)', async () => {
    const { taskId } = await client.create('ask');
    await client.reach(taskId, 'input_required');
    const asked = client.start('tasks/result', { taskId });
    await nextQuestion(await asked.stream());
    const other = client.start('tasks/result', { taskId });
    await client.get(taskId);
    await client.session.notify('notifications/cancelled', { requestId: asked.id });
    const stream = await other.stream();
    await answer(await nextQuestion(stream), { result: { action: 'decline' } });
    const { result } = await stream.nextMessage((message) => message.result !== undefined);
    expect(result).toMatchObject({ content: [{ text: 'No word: decline' }] });
  });

  it('is asked of the next who waits where the first went away (TASK-04) (CANC-01)', async () => {
    const { taskId } = await client.create('ask');
    const first = client.start('tasks/result', { taskId });
    await nextQuestion(await first.stream());
    await client.session.notify('notifications/cancelled', { requestId: first.id });
    const stream = await until(async () => {
      const call = client.start('tasks/result', { taskId });
      return call.stream().catch(() => undefined);
    }, 'another stream');
    await answer(await nextQuestion(stream), { result: { action: 'decline' } });
    const { result } = await stream.nextMessage((message) => message.result !== undefined);
    expect(result).toMatchObject({ content: [{ text: 'No word: decline' }] });
  });
});
