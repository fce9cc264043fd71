import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryCluster, type MemoryCluster } from 'nestjs-mcp/testing';
import type { TaskDesk } from '../../../support/applications/task-desk.js';
import { publishedClient, textOfTask } from '../../../support/clients/task-wires.js';
import { bootTaskDesks } from '../../../support/cluster/task-desks.js';
import { until } from '../../../support/until.js';

describe('Tasks while the engine is away', () => {
  let cluster: MemoryCluster;
  let desks: readonly TaskDesk[];
  let members: string[];

  beforeEach(async () => {
    cluster = memoryCluster();
    members = [];
    const join = cluster.join.bind(cluster);
    cluster.join = (member) => {
      members.push(member.id);
      return join(member);
    };
    desks = await bootTaskDesks(2, { cluster });
  });

  afterEach(async () => {
    cluster.heal();
    await Promise.all(desks.map((desk) => desk.close()));
  });

  it('cannot be reached: whoever asks is told to try again (RELAY-07) (RELAY-09)', async () => {
    const client = publishedClient(desks[0]?.url ?? '');
    const { taskId } = await client.create('wait', { name: 'away' });
    cluster.cut();
    const answers = [
      await client.send('tasks/get', { taskId }),
      await client.send('tasks/cancel', { taskId }),
      await client.call('wait', { name: 'other' }),
      await client.call('greet', { name: 'Ada' }),
    ];
    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual([
      [503, -32603],
      [503, -32603],
      [503, -32603],
      [200, undefined],
    ]);
    cluster.heal();
    expect(await client.get(taskId)).toMatchObject({ status: 'working' });
  });

  it('run on, and what they come to is there when it is back (RELAY-07) (RELAY-09)', async () => {
    const [here, there] = desks as [TaskDesk, TaskDesk];
    const client = publishedClient(here.url);
    const { taskId } = await client.create('wait', { name: 'during' });
    const stream = await publishedClient(there.url).listen([taskId]);
    await here.tools.gates.at('during').reached();
    cluster.cut();
    here.tools.gates.at('during').open();
    await until(async () => (await client.send('tasks/get', { taskId })).status === 503, 'the outage');
    cluster.heal();
    const told = await stream.nextMessage(({ params }) => params?.['status'] === 'completed', 15_000);
    expect(textOfTask(told.params ?? {})).toBe('during is done');
    await stream.close();
  });

  it('hear what was changed when this process could not be told (RELAY-07) (RELAY-09)', async () => {
    const [here, there] = desks as [TaskDesk, TaskDesk];
    const { taskId } = await publishedClient(here.url).create('wait', { name: 'partition' });
    await here.tools.gates.at('partition').reached();
    for (const member of members) cluster.cut(member);
    await publishedClient(there.url).send('tasks/cancel', { taskId });
    await until(() => here.tools.aborted.has('partition'), 'the end of the handler');
    expect(here.tools.aborted.get('partition')).toContain('cancelled');
  });
});
