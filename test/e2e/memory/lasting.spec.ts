import { afterEach, describe, expect, it } from '@jest/globals';
import type { TasksOptions } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { bootTaskDesk, type TaskDesk } from '../../support/applications/task-desk.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { publishedClient } from '../../support/clients/task-wires.js';

const memory = { maxBytes: 1_000_000, maxBytesPerAddress: 1_000_000 };
/** More than there is memory for. */
const MANY = 100;

describe.each(ADAPTERS)('What lasts, on %s', (adapter) => {
  let desk: TaskDesk;

  afterEach(() => desk.close());

  const boot = async (tasks: TasksOptions = {}): Promise<void> => {
    desk = await bootTaskDesk({ memory, tasks }, { adapter });
  };

  /** Another caller, who is known by no token and no address either, is served. */
  async function expectRoom(): Promise<void> {
    const session = await initialize(desk.url);
    expect((await session.request('tools/call', { name: 'greet', arguments: { name: 'Ada' } })).status).toBe(
      200,
    );
  }

  it('leaves room for others if it is streams (FAIR-02) (FAIR-03)', async () => {
    await boot();
    const client = perRequest(desk.url);
    const listen = () => client.start('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const calls = Array.from({ length: MANY }, listen);
    const heads = await Promise.all(
      calls.map((call) => call.stream().catch((error: Error) => error.message)),
    );
    const refused = heads.filter((head) => typeof head === 'string');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every((text) => text.includes('429'))).toBe(true);
    await expectRoom();
    for (const call of calls) call.disconnect();
  });

  it('leaves room for others if it is tasks (FAIR-02) (FAIR-03)', async () => {
    await boot();
    const client = publishedClient(desk.url);
    const answers = [];
    for (let count = 0; count < MANY; count += 1) answers.push(await client.call('wait', { name: 'all' }));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    await expectRoom();
    desk.tools.gates.at('all').open();
  });
});
