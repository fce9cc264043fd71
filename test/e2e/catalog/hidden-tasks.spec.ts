import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { createHiddenDesk, Flags } from '../../support/applications/hidden-desk.js';
import { authorize, bootDesk, CALLERS } from '../../support/applications/protected-desk.js';
import { publishedClient } from '../../support/clients/task-wires.js';

describe.each(ADAPTERS)('The tasks of a tool that is hidden, on %s', (adapter) => {
  let flags: Flags;
  let desk: RunningApp;

  beforeEach(async () => {
    flags = new Flags();
    desk = await bootDesk(adapter, { options: { tasks: true }, providers: [createHiddenDesk(flags)] });
    flags.shownTo.add('ada');
  });

  afterEach(() => desk.close());

  it('are as unknown as those that never were, over or not, and there again when it is (NEST-06)', async () => {
    const ada = publishedClient(desk.url, { headers: authorize(CALLERS.ada.token) });
    const { taskId } = await ada.create('long');
    await ada.reach(taskId);
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const given = { taskId, inputResponses: {} };
      flags.shownTo.clear();
      const hidden = await ada.send(method, given);
      const never = await ada.send(method, { ...given, taskId: 'never' });
      expect([hidden.status, hidden.error]).toEqual([never.status, never.error]);
      flags.shownTo.add('ada');
    }
    expect(await ada.get(taskId)).toMatchObject({ taskId, status: 'completed' });
  });

  it('cannot be listened to (NEST-06)', async () => {
    const ada = publishedClient(desk.url, { headers: authorize(CALLERS.ada.token) });
    const { taskId } = await ada.create('long');
    flags.shownTo.clear();
    const stream = await ada.listen([taskId]);
    const [acknowledged] = stream.messages;
    expect(acknowledged?.params).toMatchObject({ notifications: { taskIds: [] } });
  });
});
