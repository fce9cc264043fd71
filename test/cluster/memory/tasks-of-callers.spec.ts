import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpSessions } from 'nestjs-mcp';
import { bootTaskDesks } from '../../support/cluster/task-desks.js';
import type { TaskDesk } from '../../support/applications/task-desk.js';
import { authorize, CALLERS } from '../../support/applications/protected-desk.js';
import { publishedClient, type PublishedClient } from '../../support/clients/task-wires.js';

describe('The tasks of a caller who is logged out, in several processes', () => {
  let desks: readonly TaskDesk[];
  let ada: PublishedClient;
  let bob: PublishedClient;

  beforeEach(async () => {
    desks = await bootTaskDesks(2, { auth: { bearer: Object.values(CALLERS) } });
    const [{ url }] = desks as [TaskDesk];
    ada = publishedClient(url, { headers: authorize(CALLERS.ada.token) });
    bob = publishedClient(url, { headers: authorize(CALLERS.bob.token) });
  });

  afterEach(() => Promise.all(desks.map((desk) => desk.close())));

  const logOutAda = (options?: { readonly tasks: boolean }) =>
    (desks[1] as TaskDesk).app.get(McpSessions).endAll({ subject: 'ada' }, options);

  it('are cancelled once if the application wants that, by whichever process, and none of others (RELAY-11)', async () => {
    const [{ taskId }, others] = [
      await ada.create('wait', { name: 'of Ada' }),
      await bob.create('wait', { name: 'of Bob' }),
    ];
    await expect(logOutAda({ tasks: true })).resolves.toMatchObject({ tasks: 1, isComplete: true });
    await expect(ada.reach(taskId)).resolves.toMatchObject({ status: 'cancelled' });
    await expect(bob.get(others['taskId'])).resolves.toMatchObject({ status: 'working' });
  });

  it('go on otherwise (RELAY-11)', async () => {
    const { taskId } = await ada.create('wait', { name: 'goes on' });
    await expect(logOutAda()).resolves.toMatchObject({ tasks: 0 });
    await expect(ada.get(taskId)).resolves.toMatchObject({ status: 'working' });
  });
});
