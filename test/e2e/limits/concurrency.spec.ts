import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpCatalog, type McpModuleExtras, type McpOptions } from 'nestjs-mcp';
import type { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { Gates } from '../../support/applications/gate.js';
import { bootServer } from '../../support/applications/server.js';
import type { Call } from '../../support/clients/call.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { publishedClient } from '../../support/clients/task-wires.js';
import { DearClass, DearHandlers, GATE } from './dear-handlers.js';

const REFUSED = {
  status: 429,
  headers: { 'retry-after': '1' },
  error: {
    code: -32023,
    message: 'Too many concurrent calls: try again in 1 s',
    data: { retryAfterMs: 1000 },
  },
} as const;

describe.each(ADAPTERS)('@Concurrency() on handlers, on %s', (adapter) => {
  let desk: RunningApp;
  let handlers: DearHandlers;
  let classes: DearClass;
  const validate = (token: string) => ({ sub: token, iss: 'https://issuer.example.com' });

  const boot = async (options: Partial<McpOptions & McpModuleExtras> = {}) => {
    desk = await bootServer({
      adapter,
      options: { tasks: true, streams: { beginAfterMs: 0 }, ...options },
      providers: [DearHandlers, DearClass],
    });
    handlers = desk.app.get(DearHandlers);
    classes = desk.app.get(DearClass);
  };

  beforeEach(() => boot());
  afterEach(() => desk.close());

  const start = (name: string, gate: string, headers = {}): Call =>
    perRequest(desk.url, { headers }).start('tools/call', { name, arguments: { gate } });
  const open = (...gates: readonly string[]) => gates.forEach((gate) => handlers.gates.at(gate).open());

  it('refuses a call that finds no place, and says when to come again (OPS-04)', async () => {
    const first = start('alone', 'a');
    await handlers.gates.at('a').reached();
    expect(await start('alone', 'b').answer()).toMatchObject(REFUSED);
    open('a');
    await first.result();
    open('c');
    expect(await start('alone', 'c').result()).toMatchObject({ content: [{ text: 'c' }] });
    expect(handlers.reached).toEqual(['a', 'c']);
  });

  it('refuses it in the stream, if that has begun (OPS-04)', async () => {
    await desk.close();
    await boot({ streams: { beginAfterMs: 1 } });
    const first = start('patient', 'a');
    await handlers.gates.at('a').reached();
    const { status, headers, error } = await start('patient', 'b').answer();
    expect([status, headers['content-type'], error?.code]).toEqual([200, 'text/event-stream', -32023]);
    open('a');
    await first.result();
  });

  it('lets calls wait, and gives turns to callers (OPS-04)', async () => {
    await desk.close();
    await boot({ auth: { validator: { validate } } });
    const by = (subject: string) => ({ authorization: `Bearer ${subject}` });
    const running = start('queued', 'a', by('ada'));
    await handlers.gates.at('a').reached();
    const waiting: Call[] = [];
    // Each comes before the next.
    for (const [gate, subject] of [
      ['b', 'ada'],
      ['c', 'ada'],
      ['d', 'ada'],
      ['e', 'bob'],
    ] as const) {
      waiting.push(start('queued', gate, by(subject)));
      await perRequest(desk.url, { headers: by(subject) }).request('tools/list');
    }
    open('a', 'b', 'c', 'd', 'e');
    const results = await Promise.all([running, ...waiting].map((call) => call.result()));
    expect(results).toHaveLength(5);
    // Ada's first call had begun, and one of hers waited before the other caller's.
    expect(handlers.reached.indexOf('e')).toBeLessThan(3);
  });

  it('lets a cancelled call leave the queue, and its handler is never called (OPS-04)', async () => {
    const session = await initialize(desk.url);
    const first = start('queued', 'a');
    await handlers.gates.at('a').reached();
    const second = session.start('tools/call', { name: 'queued', arguments: { gate: 'b' } });
    await session.request('ping');
    await session.notify('notifications/cancelled', { requestId: second.id });
    await session.request('ping');
    open('a', 'c');
    await first.result();
    await start('queued', 'c').result();
    expect(handlers.reached).toEqual(['a', 'c']);
  });

  it('refuses what has waited too long (OPS-04)', async () => {
    const first = start('impatient', 'a');
    await handlers.gates.at('a').reached();
    expect(await start('impatient', 'b').answer()).toMatchObject({ status: 429, error: { code: -32023 } });
    open('a');
    await first.result();
  });

  it('bounds the calls of each caller (OPS-04)', async () => {
    await desk.close();
    await boot({ auth: { validator: { validate } } });
    const [ada, bob] = ['ada', 'bob'].map((subject) => ({ authorization: `Bearer ${subject}` }));
    const first = start('own', 'a', ada);
    await handlers.gates.at('a').reached();
    const second = start('own', 'b', bob);
    await handlers.gates.at('b').reached();
    expect(await start('own', 'c', ada).answer()).toMatchObject(REFUSED);
    open('a', 'b');
    await Promise.all([first.result(), second.result()]);
  });

  it('is shared by handlers that are given the same object (OPS-04)', async () => {
    const first = start('render', 'a');
    await handlers.gates.at('a').reached();
    expect(await start('train', 'b').answer()).toMatchObject(REFUSED);
    open('a');
    await first.result();
  });

  it('is shared by the handlers of a class that have none of their own (OPS-04)', async () => {
    const first = start('one', 'a');
    await classes.gates.at('a').reached();
    expect(await start('other', 'b').answer()).toMatchObject(REFUSED);
    const apart = start('apart', 'c');
    await classes.gates.at('c').reached();
    ['a', 'c'].forEach((gate) => classes.gates.at(gate).open());
    await Promise.all([first.result(), apart.result()]);
  });

  it.each([
    ['prompts/get', { name: 'prompt', arguments: { gate: 'prompt' } }, 'prompt'],
    ['resources/read', { uri: 'desk://dear' }, 'resource'],
  ])('stands on the handlers of %s too (OPS-04)', async (method, params, gate) => {
    const client = perRequest(desk.url);
    const first = client.start(method, params);
    await handlers.gates.at(gate).reached();
    expect(await client.request(method, params)).toMatchObject(REFUSED);
    open(gate);
    await first.result();
  });

  it('bounds how many tasks of a tool run, not how many there are (OPS-04)', async () => {
    const client = publishedClient(desk.url);
    const [first, second] = [
      await client.create('task', { gate: 'a' }),
      await client.create('task', { gate: 'b' }),
    ];
    await handlers.gates.at('a').reached();
    expect(await client.get(second['taskId'])).toMatchObject({ status: 'working' });
    expect(handlers.reached).toEqual(['a']);
    open('a', 'b');
    await client.reach(first['taskId'], 'completed');
    await client.reach(second['taskId'], 'completed');
    expect(handlers.reached).toEqual(['a', 'b']);
  });

  it('frees the place of a call that waits for its client on the stateless wire (OPS-04)', async () => {
    const client = perRequest(desk.url, { capabilities: { elicitation: { form: {} } } });
    const ask = () => client.request('tools/call', { name: 'asking', arguments: {} });
    expect((await ask()).result).toMatchObject({ resultType: 'input_required' });
    expect((await ask()).result).toMatchObject({ resultType: 'input_required' });
  });

  it('is an option of handlers added later (OPS-04)', async () => {
    const gates = new Gates();
    const { tools } = desk.app.get(McpCatalog);
    const inputSchema = GATE;
    tools.add({ name: 'added', inputSchema, concurrency: { max: 1 } }, ({ gate }: z.infer<typeof GATE>) =>
      gates.at(gate).pass(),
    );
    const first = start('added', 'a');
    await gates.at('a').reached();
    tools.update('added', { description: 'changed while it runs' });
    expect(await start('added', 'b').answer()).toMatchObject(REFUSED);
    gates.at('a').open();
    await first.result();
  });
});
