import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import { coreClient, serviceClient } from '../../../support/clients/task-wires.js';

const CLIENTS = [
  ['declared the extension', serviceClient],
  ['asks by the parameter', coreClient],
] as const;

describe.each(CLIENTS)('The standing stream of a session that %s', (_case, connect) => {
  let desk: TaskDesk;

  beforeAll(async () => {
    desk = await bootTaskDesk();
  });

  afterAll(() => desk.close());

  it('is taken up again behind what was read, and misses no transition (TASK-03) (HTTP-04)', async () => {
    const client = await connect(desk.url);
    const first = await client.session.openStream();
    const meta = { _meta: { progressToken: 1 } };
    const name = `resumed-${_case}`;
    const { taskId } = await client.create('report', { name }, meta);
    await first.nextNotification('notifications/tasks/status');
    const { lastEventId } = first;
    await first.close();
    desk.tools.gates.at(name).open();
    await client.reach(taskId);
    const second = await client.session.openStream({ lastEventId });
    const ended = await second.nextNotification('notifications/tasks/status');
    expect(ended.params).toMatchObject({ taskId, status: 'completed' });
    const progress = second.messages.filter(({ method }) => method === 'notifications/progress');
    expect(progress.map(({ params }) => params?.['progress'])).toEqual([2]);
    await second.close();
  });

  it('brings what was told while nobody read (TASK-03)', async () => {
    const client = await connect(desk.url);
    const { taskId } = await client.create('refuse');
    await client.reach(taskId);
    const stream = await client.session.openStream();
    const { params } = await stream.nextNotification('notifications/tasks/status');
    expect(params).toMatchObject({ taskId });
    await stream.close();
  });

  it('may end with its session, and the task goes on (TASK-02)', async () => {
    const client = await connect(desk.url);
    const name = `left-${_case}`;
    const { taskId } = await client.create('wait', { name });
    await desk.tools.gates.at(name).reached();
    await client.session.delete();
    desk.tools.gates.at(name).open();
    const other = await connect(desk.url);
    expect(await other.reach(taskId)).toMatchObject({ status: 'completed' });
  });
});
