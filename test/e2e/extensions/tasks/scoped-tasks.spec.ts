import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpModule, type TaskRecord } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../../support/applications/boot.js';
import { authorize } from '../../../support/applications/protected-desk.js';
import type { Answer } from '../../../support/clients/call.js';
import type { EventStream } from '../../../support/clients/event-stream.js';
import { SessionClient } from '../../../support/clients/json-rpc.js';
import {
  coreClient,
  publishedClient,
  serviceClient,
  textOfTask,
  type SessionTaskClient,
  type TaskClient,
} from '../../../support/clients/task-wires.js';
import { ADA, AUTH, PlainTaskStore, PressTools } from './scoped.app.js';

const FULL = authorize(ADA.full.token);
const LESSER = authorize(ADA.lesser.token);

/** One client, whose token allows more at one time than at another. */
interface Client {
  readonly full: TaskClient;
  /** Sends a request with the lesser token. */
  readonly sendLesser: TaskClient['send'];
}

/** Sends requests of the same session by the lesser token. */
const lessen =
  ({ session }: SessionTaskClient): TaskClient['send'] =>
  (method, params) =>
    session.request(method, params, LESSER);

const WIRES = {
  published: async (url: string): Promise<Client> => ({
    full: publishedClient(url, { headers: FULL }),
    sendLesser: publishedClient(url, { headers: LESSER }).send,
  }),
  core: async (url: string): Promise<Client> => {
    const full = await coreClient(url, { headers: FULL });
    return { full, sendLesser: lessen(full) };
  },
  service: async (url: string): Promise<Client> => {
    const full = await serviceClient(url, { headers: FULL });
    return { full, sendLesser: lessen(full) };
  },
};

const WAYS = ADAPTERS.flatMap((adapter) =>
  (['published', 'core', 'service'] as const).map((wire) => ({ adapter, wire })),
);

describe.each(WAYS)('A task whose tool requires a scope, $wire on $adapter', ({ adapter, wire }) => {
  const store = new PlainTaskStore();
  let desk: RunningApp;
  let tools: PressTools;
  let client: Client;

  beforeAll(async () => {
    desk = await bootApp({
      adapter,
      imports: [
        McpModule.forRoot({
          serverInfo: { name: 'press', version: '1.0.0' },
          tasks: { store, maxTasksPerCaller: 1000 },
          auth: AUTH,
        }),
      ],
      providers: [PressTools],
    });
    tools = desk.app.get(PressTools);
    client = await WIRES[wire](desk.url);
  });

  afterAll(() => desk.close());

  async function finish(name: string): Promise<unknown> {
    const { taskId } = await client.full.create('print', { name });
    tools.gates.at(name).open();
    await client.full.reach(taskId);
    return taskId;
  }

  /** What the call of the tool itself is refused with. */
  async function expectRefusal({ status, headers, result, error }: Answer): Promise<void> {
    const refused = await client.sendLesser('tools/call', { name: 'print', arguments: { name: 'x' } });
    expect(refused.status).toBe(403);
    expect([status, headers['www-authenticate']]).toEqual([403, refused.headers['www-authenticate']]);
    expect(headers['www-authenticate']).toContain('scope="desk:read desk:print"');
    expect(result).toBeUndefined();
    expect(error?.message).toBe('insufficient_scope: desk:read desk:print');
  }

  it.each(['tasks/get', 'tasks/cancel', ...(wire === 'published' ? [] : ['tasks/result'])])(
    'is refused to a token without it by %s, as the call is (FAIR-06)',
    async (method) => {
      const name = `${method} ${wire}`;
      const { taskId } = await client.full.create('print', { name });
      await tools.gates.at(name).reached();
      await expectRefusal(await client.sendLesser(method, { taskId }));
      expect(await client.full.get(taskId)).toMatchObject({
        status: expect.stringMatching(/working|running/),
      });
      tools.gates.at(name).open();
      await client.full.reach(taskId);
      await expectRefusal(await client.sendLesser(method, { taskId }));
    },
  );

  it('is its caller’s again with the scope, and what requires none is so with every token (FAIR-06)', async () => {
    const taskId = await finish('again');
    expect((await client.full.get(taskId))['status']).toBe('completed');
    const { taskId: plain } = await client.full.create('read');
    await client.full.reach(plain);
    expect((await client.sendLesser('tasks/get', { taskId: plain })).result?.['status']).toBe('completed');
  });

  it('requires also what its handler required while it ran (FAIR-06)', async () => {
    const { taskId } = await client.full.create('late', { name: 'late' });
    expect((await client.sendLesser('tasks/get', { taskId })).status).toBe(200);
    tools.gates.at('late').open();
    await client.full.reach(taskId);
    await expectRefusal(await client.sendLesser('tasks/get', { taskId }));
  });

  it('that was stored without its scopes requires those of its tool (FAIR-06)', async () => {
    const taskId = String(await finish('old'));
    const { scopes, ...old } = JSON.parse(store.records.get(taskId) ?? '') as TaskRecord;
    expect(scopes).toEqual(['desk:print']);
    store.records.set(taskId, JSON.stringify(old));
    await expectRefusal(await client.sendLesser('tasks/get', { taskId }));
    expect((await client.full.get(taskId))['status']).toBe('completed');
    const call = { ...old.call, params: { ...old.call.params, name: 'gone' } };
    store.records.set(taskId, JSON.stringify({ ...old, call }));
    for (const send of [client.sendLesser, client.full.send]) {
      expect((await send('tasks/get', { taskId })).error?.code).toBe(-32602);
    }
  });

  // Clients that ask by the parameter answer on a stream.
  if (wire === 'core') return;

  it('takes no answer by a token without it (FAIR-06)', async () => {
    const { taskId } = await client.full.create('confirm');
    await client.full.reach(taskId, 'input_required');
    const inputResponses = { sure: { action: 'decline' } };
    await expectRefusal(await client.sendLesser('tasks/update', { taskId, inputResponses }));
    expect(await client.full.get(taskId)).toMatchObject({ status: 'input_required' });
    await client.full.send('tasks/update', { taskId, inputResponses });
    expect(textOfTask(await client.full.reach(taskId)) || 'decline').toBe('decline');
  });
});

describe.each(ADAPTERS)('What a session hears of its tasks on %s', (adapter) => {
  const store = new PlainTaskStore();
  let desk: RunningApp;
  let tools: PressTools;

  beforeAll(async () => {
    desk = await bootApp({
      adapter,
      imports: [
        McpModule.forRoot({
          serverInfo: { name: 'press', version: '1.0.0' },
          tasks: { store, maxTasksPerCaller: 1000 },
          auth: AUTH,
        }),
      ],
      providers: [PressTools],
    });
    tools = desk.app.get(PressTools);
  });

  afterAll(() => desk.close());

  const openStream = ({ session }: SessionTaskClient, headers: object): Promise<EventStream> =>
    new SessionClient(session.url, session.handshake, { ...headers }).openStream();

  const namesOf = ({ messages }: EventStream): unknown[] => messages.map(({ params }) => params?.['taskId']);

  it.each([
    ['declared the extension', serviceClient],
    ['asks by the parameter', coreClient],
  ] as const)(
    'is not told on a stream by a token that cannot see the task, where the client %s (FAIR-06)',
    async (label, connect) => {
      const client = await connect(desk.url, { headers: FULL });
      const stream = await openStream(client, LESSER);
      const { taskId } = await client.create('print', { name: label }, { _meta: { progressToken: 1 } });
      tools.gates.at(label).open();
      await client.reach(taskId);
      const { taskId: plain } = await client.create('read');
      await stream.nextMessage(({ params }) => params?.['taskId'] === plain);
      expect(namesOf(stream)).not.toContain(taskId);
      expect(JSON.stringify(stream.messages)).not.toContain(`of ${label}`);
      await stream.close();
    },
  );

  it('is told on a stream by a token that can, whatever the latest token of the session is (FAIR-06)', async () => {
    const client = await serviceClient(desk.url, { headers: FULL });
    const stream = await openStream(client, FULL);
    const { taskId } = await client.create('print', { name: 'heard' });
    await client.session.request('ping', {}, LESSER);
    tools.gates.at('heard').open();
    const told = await stream.nextMessage(({ params }) => params?.['status'] === 'completed');
    expect(told.params).toMatchObject({ taskId });
    await stream.close();
  });

  it('is told to a later stream by a token that can: it was kept for it (FAIR-06) (HTTP-04)', async () => {
    const client = await serviceClient(desk.url, { headers: FULL });
    const lesser = await openStream(client, LESSER);
    const { taskId } = await client.create('print', { name: 'kept' });
    tools.gates.at('kept').open();
    await client.reach(taskId);
    await lesser.close();
    const full = await openStream(client, FULL);
    const told = await full.nextMessage(({ params }) => params?.['status'] === 'completed');
    expect(told.params).toMatchObject({ taskId });
    await full.close();
  });

  it('is listened to by no token that cannot see the task (FAIR-06) (TASK-05)', async () => {
    const client = publishedClient(desk.url, { headers: FULL });
    const lesser = publishedClient(desk.url, { headers: LESSER });
    const { taskId } = await client.create('print', { name: 'listened' });
    const refused = await lesser.send('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    expect(refused.status).toBe(403);
    expect(refused.headers['www-authenticate']).toContain('scope="desk:read desk:print"');
    const stream = await client.listen([taskId]);
    tools.gates.at('listened').open();
    await stream.nextMessage(({ params }) => params?.['status'] === 'completed');
    await stream.close();
  });

  it('ends on a subscription where the handler requires more than its token has (FAIR-06) (TASK-05)', async () => {
    const client = publishedClient(desk.url, { headers: FULL });
    const lesser = publishedClient(desk.url, { headers: LESSER });
    const { taskId } = await client.create('late', { name: 'late-listened' });
    const { taskId: plain } = await client.create('late', { name: 'never-ends' });
    const [whole, part] = [await client.listen([taskId]), await lesser.listen([taskId, plain])];
    tools.gates.at('late-listened').open();
    await whole.nextMessage(({ params }) => params?.['status'] === 'completed');
    await client.send('tasks/cancel', { taskId: plain });
    await part.nextMessage(({ params }) => params?.['status'] === 'cancelled');
    expect(JSON.stringify(part.messages)).not.toContain('the print of');
    await Promise.all([whole.close(), part.close()]);
  });
});
