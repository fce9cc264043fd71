import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TaskRecord } from 'nestjs-mcp';
import type { TaskDesk } from '../../../support/applications/task-desk.js';
import { SessionClient } from '../../../support/clients/json-rpc.js';
import {
  coreClient,
  publishedClient,
  serviceClient,
  textOfTask,
  type PublishedClient,
} from '../../../support/clients/task-wires.js';
import { bootTaskDesks } from '../../../support/cluster/task-desks.js';
import { startRoundRobin, type RoundRobin } from '../../../support/round-robin.js';
import { until } from '../../../support/until.js';

describe('Tasks of a server of several processes', () => {
  let desks: readonly TaskDesk[];
  let here: TaskDesk;
  let there: TaskDesk;
  let nearby: PublishedClient;
  let far: PublishedClient;
  let balancer: RoundRobin;

  beforeAll(async () => {
    desks = await bootTaskDesks(3);
    [here, there] = desks as [TaskDesk, TaskDesk];
    nearby = publishedClient(here.url);
    far = publishedClient(there.url);
    balancer = await startRoundRobin(desks.map(({ url }) => url));
  });

  afterAll(async () => {
    balancer.stop();
    await Promise.all(desks.map((desk) => desk.close()));
  });

  it('are found, and end, wherever a client looks (RELAY-09)', async () => {
    const { taskId } = await nearby.create('wait', { name: 'seen' });
    expect(await far.get(taskId)).toMatchObject({ taskId, status: 'working' });
    here.tools.gates.at('seen').open();
    expect(textOfTask(await far.reach(taskId))).toBe('seen is done');
  });

  it('are cancelled from elsewhere: the handler is aborted (RELAY-09)', async () => {
    const { taskId } = await nearby.create('wait', { name: 'cancelled' });
    await here.tools.gates.at('cancelled').reached();
    await far.send('tasks/cancel', { taskId });
    await until(() => here.tools.aborted.has('cancelled'), 'the end of the handler');
    expect(await nearby.get(taskId)).toMatchObject({ status: 'cancelled' });
  });

  it('hear answers that come elsewhere (RELAY-09)', async () => {
    const { taskId } = await nearby.create('ask');
    await far.reach(taskId, 'input_required');
    const inputResponses = { word: { action: 'accept', content: { word: 'quire' } } };
    await far.send('tasks/update', { taskId, inputResponses });
    expect(textOfTask(await far.reach(taskId))).toBe('The word is quire');
  });

  it('are told of to who listens elsewhere, each transition once (RELAY-09)', async () => {
    const { taskId } = await nearby.create('ask');
    const stream = await far.listen([taskId]);
    await stream.nextMessage(({ params }) => params?.['status'] === 'input_required');
    await nearby.send('tasks/update', { taskId, inputResponses: { word: { action: 'cancel' } } });
    await stream.nextMessage(({ params }) => params?.['status'] === 'completed');
    await stream.close();
    const told = stream.messages.filter(({ method }) => method === 'notifications/tasks');
    const updates = told.map(({ params }) => params?.['status']);
    expect(updates.filter((status) => status === 'completed')).toHaveLength(1);
  });

  it('give their result to who waits in another process, as soon as it is there (RELAY-09)', async () => {
    const client = await coreClient(here.url);
    const elsewhere = new SessionClient(there.url, client.session.handshake, {});
    const { taskId } = await client.create('wait', { name: 'awaited' });
    const waiting = elsewhere.start('tasks/result', { taskId });
    await here.tools.gates.at('awaited').reached();
    here.tools.gates.at('awaited').open();
    expect(await waiting.result()).toMatchObject({ content: [{ text: 'awaited is done' }] });
  });

  it('ask who waits for the result in another process (RELAY-09)', async () => {
    const client = await coreClient(here.url);
    const elsewhere = new SessionClient(there.url, client.session.handshake, {});
    const { taskId } = await client.create('ask');
    const stream = await elsewhere.start('tasks/result', { taskId }).stream();
    const question = await stream.nextMessage(({ method }) => method === 'elicitation/create');
    expect(question.params).toMatchObject({ _meta: { 'io.modelcontextprotocol/related-task': { taskId } } });
    const result = { action: 'accept', content: { word: 'ream' } };
    await elsewhere.post({ jsonrpc: '2.0', id: question.id, result });
    const { result: given } = await stream.nextMessage((message) => message.result !== undefined);
    expect(given).toMatchObject({ content: [{ text: 'The word is ream' }] });
  });

  it('are asked for once, though clients wait in several processes, and in another once the first is gone (RELAY-09)', async () => {
    const client = await coreClient(here.url);
    const elsewhere = new SessionClient(there.url, client.session.handshake, {});
    const { taskId } = await client.create('ask');
    const first = client.start('tasks/result', { taskId });
    const stream = await first.stream();
    await stream.nextMessage(({ method }) => method === 'elicitation/create');
    const second = elsewhere.start('tasks/result', { taskId });
    expect(await client.get(taskId)).toMatchObject({ status: 'input_required' });
    await client.session.notify('notifications/cancelled', { requestId: first.id });
    const other = await second.stream();
    const question = await other.nextMessage(({ method }) => method === 'elicitation/create', 20_000);
    await elsewhere.post({ jsonrpc: '2.0', id: question.id, result: { action: 'decline' } });
    const { result } = await other.nextMessage((message) => message.result !== undefined);
    expect(result).toMatchObject({ content: [{ text: 'No word: decline' }] });
    expect(other.messages.filter(({ method }) => method === 'elicitation/create')).toHaveLength(1);
  });

  it('are listed for their session, whichever process began them (RELAY-09)', async () => {
    const client = await coreClient(balancer.url);
    const created = [];
    for (const name of ['one', 'two', 'three']) created.push(await client.create('count', { name }));
    const { result } = await client.send('tasks/list');
    const listed = result?.['tasks'] as readonly { readonly taskId: string }[];
    expect(new Set(listed.map(({ taskId }) => taskId))).toEqual(new Set(created.map(({ taskId }) => taskId)));
  });

  it.each([
    ['core', coreClient],
    ['service', serviceClient],
  ])(
    'run from their creation to their end behind a balancer, as clients of the profile "%s" see them (RELAY-09)',
    async (_profile, connect) => {
      const client = await connect(balancer.url);
      const { taskId } = await client.create('count', { name: 'four' });
      expect(await client.reach(taskId)).toMatchObject({ status: 'completed' });
    },
  );

  it('show the application every change, wherever it is made (RELAY-09)', async () => {
    const seen: TaskRecord[] = [];
    const subscription = there.tasks.changes$.subscribe((record) => seen.push(record));
    const { taskId } = await nearby.create('count', { name: 'six' });
    const own = () => seen.filter((task) => task.taskId === taskId);
    await until(() => own().some(({ status }) => status === 'completed'), 'the end');
    subscription.unsubscribe();
    expect(own().at(-1)).toMatchObject({ result: { structuredContent: { total: 3 } } });
  });
});
