import { afterEach, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../../support/applications/boot.js';
import { initialize } from '../../../support/clients/json-rpc.js';
import { nextEvent, textsOf, type AlertsApp } from '../../../e2e/extensions/events/alerts.app.js';
import { bootAlertsDesks } from './alerts-desks.js';

describe.each(ADAPTERS)(
  'A stream of events that its client takes up at another process, on %s',
  (adapter) => {
    let desks: readonly AlertsApp[] = [];

    afterEach(async () => {
      await Promise.all(desks.map((desk) => desk.close()));
      desks = [];
    });

    it('has heartbeats and no comments, while the standing stream has some (XTN-06)', async () => {
      desks = await bootAlertsDesks(2, {
        adapter,
        events: { heartbeatMs: 100 },
        options: { streams: { keepAliveMs: 10 } },
      });
      const [here, there] = desks as [AlertsApp, AlertsApp];
      const session = await initialize(here.url);
      const stream = await session.start('events/stream', { name: 'alert.fired' }).stream();
      await stream.nextNotification('notifications/events/active');
      const { lastEventId } = stream;
      await stream.close();
      const resumed = await session.at(there.url).openStream({ lastEventId });
      const standing = await session.at(there.url).openStream();
      here.alerts.fire('back');
      expect(textsOf([await nextEvent(resumed)])).toEqual(['back']);
      for (let count = 0; count < 2; count += 1) {
        await standing.next(({ comments }) => comments.length > 0);
        await resumed.nextNotification('notifications/events/heartbeat');
      }
      expect(resumed.events.flatMap(({ comments }) => comments)).toEqual([]);
      await Promise.all([resumed.close(), standing.close()]);
    });
  },
);
