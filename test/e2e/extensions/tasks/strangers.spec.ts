import { afterEach, describe, expect, it } from '@jest/globals';
import type { TasksOptions } from 'nestjs-mcp';
import { ADAPTERS } from '../../../support/applications/boot.js';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import {
  publishedClient,
  serviceClient,
  type PublishedClient,
  type SessionTaskClient,
} from '../../../support/clients/task-wires.js';

/** One caller has all of an IPv4 address, and the first 64 bits of an IPv6 address. */
const CROWD = ['2001:db8:7::1', '2001:db8:7::2', '2001:DB8:7::ffff'];
const OTHER = '203.0.113.9';

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

describe.each(ADAPTERS)('Tasks of callers without a token, at their addresses, on %s', (adapter) => {
  let desk: TaskDesk;

  afterEach(() => desk.close());

  async function boot(tasks: TasksOptions): Promise<void> {
    desk = await bootTaskDesk({ tasks }, { adapter, trustProxy: true });
  }

  /** Clients of the crowd with and without sessions, as many of them as there are addresses. */
  async function gather(): Promise<(PublishedClient | SessionTaskClient)[]> {
    const stateless = CROWD.map((address) => publishedClient(desk.url, from(address)));
    return [
      ...stateless,
      ...(await Promise.all(CROWD.map((address) => serviceClient(desk.url, from(address))))),
    ];
  }

  it('leave one of those that run at once to others, by whatever sessions they are asked for (FAIR-03)', async () => {
    await boot({ concurrency: 4 });
    const crowd = await gather();
    for (const [index, client] of crowd.entries()) await client.create('wait', { name: `crowd-${index}` });
    await publishedClient(desk.url, from(OTHER)).create('wait', { name: 'other' });
    await desk.tools.gates.at('other').reached();
    const begun = [...desk.tools.calls.keys()];
    expect(begun).toEqual(['crowd-0', 'crowd-1', 'crowd-2', 'other']);
  });

  it('are bounded for each address as for a caller with a token (FAIR-03) (TASK-02)', async () => {
    await boot({ maxTasksPerCaller: 3 });
    const crowd = await gather();
    const answers = [];
    for (const client of crowd) answers.push(await client.call('wait', { name: 'crowd' }));
    expect(answers.map(({ error }) => error?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      -32603,
      -32603,
      -32603,
    ]);
    const other = publishedClient(desk.url, from(OTHER));
    expect(await other.create('wait', { name: 'other' })).toMatchObject({ status: 'working' });
    desk.tools.gates.at('crowd').open();
    await crowd[0]!.reach(answers[0]?.result?.['taskId']);
    expect((await crowd[4]!.call('wait', { name: 'crowd' })).error).toBeUndefined();
  });

  it('are given up when they are over for others of their own address (FAIR-03) (TASK-02)', async () => {
    await boot({ maxTasks: 4, maxTasksPerCaller: 2 });
    const other = publishedClient(desk.url, from(OTHER));
    const { taskId } = await other.create('refuse');
    await other.reach(taskId);
    const crowd = await gather();
    let last: unknown;
    for (const client of [...crowd, ...crowd.slice(0, 1)]) {
      last = (await client.create('refuse'))['taskId'];
      await client.reach(last);
    }
    expect(await other.get(taskId)).toMatchObject({ taskId, status: 'completed' });
    expect(await crowd[0]!.get(last)).toMatchObject({ status: 'completed' });
  });
});
