import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { PROJECT_CALLERS, ProjectHandlers, ran } from '../../support/applications/project-desk.js';
import { authorize, bootDesk, PUBLISHED } from '../../support/applications/protected-desk.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

const TICKET = 'project://alpha/tickets/7';
const UPDATED = 'notifications/resources/updated';
const { none, alpha } = PROJECT_CALLERS;

describe.each(ADAPTERS)('Who follows resources whose scopes depend on them on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(PROJECT_CALLERS) },
      providers: [ProjectHandlers],
    });
  });

  beforeEach(() => void (ran.length = 0));

  afterAll(() => desk.close());

  it('needs those of all that are followed, on the stateless wire (XTN-04)', async () => {
    const listen = (token: string, resourceSubscriptions: readonly string[]) =>
      perRequest(desk.url, { headers: authorize(token) }).start('subscriptions/listen', {
        notifications: { resourceSubscriptions },
      });
    const refused = await listen(none.token, [TICKET, 'project://beta/tickets/1', 'desk://mine']).answer();
    expect(refused.status).toBe(403);
    expect(refused.headers['www-authenticate']).toContain(
      'scope="project:alpha:read project:beta:read desk:of:eve"',
    );
    const many = Array.from({ length: 300 }, (_, index) => `project://p${index}-${'x'.repeat(40)}/tickets/1`);
    const tooMany = await listen(none.token, many).answer();
    expect([tooMany.status, tooMany.error?.code]).toEqual([200, -32602]);
    const stream = await listen(alpha.token, [TICKET, 'desk://mine']).stream();
    await stream.nextNotification('notifications/subscriptions/acknowledged');
    desk.app.get(McpNotifier).resourceUpdated(TICKET);
    expect((await stream.nextNotification(UPDATED)).params).toMatchObject({ uri: TICKET });
    await stream.close();
  });

  it('hears in a session of what the token may read now, and of nothing else (XTN-04)', async () => {
    const ada = await initialize(desk.url, { headers: authorize(alpha.token) });
    const eve = await initialize(desk.url, { headers: authorize(none.token) });
    expect((await eve.request('resources/subscribe', { uri: TICKET })).status).toBe(403);
    for (const uri of [TICKET, 'desk://mine']) {
      expect((await ada.request('resources/subscribe', { uri })).status).toBe(200);
    }
    const streams = [await ada.openStream(), await eve.openStream()];
    const notifier = desk.app.get(McpNotifier);
    notifier.resourceUpdated(TICKET);
    notifier.resourceUpdated('desk://mine');
    const [heard, silent] = streams;
    const updates = [await heard!.nextNotification(UPDATED), await heard!.nextNotification(UPDATED)];
    expect(new Set(updates.map(({ params }) => params?.['uri']))).toEqual(new Set(['desk://mine', TICKET]));
    notifier.log('error', 'last');
    await silent!.nextNotification('notifications/message');
    expect(silent!.messages.map(({ method }) => method)).toEqual(['notifications/message']);
    for (const stream of streams) await stream.close();
  });
});
