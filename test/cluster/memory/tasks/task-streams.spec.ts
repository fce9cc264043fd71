import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TaskDesk } from '../../../support/applications/task-desk.js';
import { SessionClient } from '../../../support/clients/json-rpc.js';
import { coreClient, serviceClient } from '../../../support/clients/task-wires.js';
import { bootTaskDesks } from '../../../support/cluster/task-desks.js';

const STATUS = 'notifications/tasks/status';

describe('The standing stream of a session in another process', () => {
  let desks: readonly TaskDesk[];
  let here: TaskDesk;
  let there: TaskDesk;

  beforeAll(async () => {
    desks = await bootTaskDesks(3);
    [here, there] = desks as [TaskDesk, TaskDesk];
  });

  afterAll(() => Promise.all(desks.map((desk) => desk.close())));

  it.each([
    ['core', coreClient],
    ['service', serviceClient],
  ])(
    'tells a client of the profile "%s" of each transition of its tasks, once (RELAY-09)',
    async (_profile, connect) => {
      const client = await connect(here.url);
      const elsewhere = new SessionClient(there.url, client.session.handshake, {});
      const stream = await elsewhere.openStream();
      const name = `streamed ${_profile}`;
      const { taskId } = await client.create('wait', { name });
      await here.tools.gates.at(name).reached();
      here.tools.gates.at(name).open();
      const isStatus = (status: string) => (message: { method?: string; params?: Record<string, unknown> }) =>
        message.method === STATUS &&
        message.params?.['taskId'] === taskId &&
        message.params?.['status'] === status;
      await stream.nextMessage(isStatus('completed'));
      const next = await client.create('count', { name });
      await stream.nextMessage(
        ({ method, params }) =>
          method === STATUS && params?.['taskId'] === next['taskId'] && params?.['status'] === 'completed',
      );
      expect(stream.messages.filter(isStatus('completed'))).toHaveLength(1);
      await stream.close();
    },
  );

  it('carries the progress of a task that runs elsewhere (RELAY-09)', async () => {
    const client = await serviceClient(here.url);
    const elsewhere = new SessionClient(there.url, client.session.handshake, {});
    const stream = await elsewhere.openStream();
    const { taskId } = await client.create(
      'report',
      { name: 'progress' },
      { _meta: { progressToken: 'steps' } },
    );
    here.tools.gates.at('progress').open();
    const told = await stream.nextMessage(
      ({ method, params }) => method === 'notifications/progress' && params?.['progress'] === 2,
    );
    expect(told.params).toMatchObject({ progressToken: 'steps', total: 3, message: 'nearly' });
    expect(await client.reach(taskId)).toMatchObject({ status: 'completed' });
    await stream.close();
  });
});
