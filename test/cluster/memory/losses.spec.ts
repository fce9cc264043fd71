import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import { announce, WatchedDesk } from '../../support/applications/watched-desk.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { initialize, perRequest, type SessionClient } from '../../support/clients/json-rpc.js';
import { countOf, readNumbers, untilNumber } from '../../support/clients/numbered.js';
import { moveTo, settle, startCluster, type RunningCluster } from '../../support/cluster/start-cluster.js';
import { until } from '../../support/until.js';

const LISTS = ['tools', 'prompts', 'resources'].map((area) => `notifications/${area}/list_changed`);
const UPDATED = 'notifications/resources/updated';
const LOG = 'notifications/message';

/** Reads the notices of a loss, of which the log entry is the last. */
async function readNotices(stream: EventStream): Promise<readonly string[]> {
  await until(() => stream.messages.some(({ params }) => params?.['level'] === 'warning'), 'the notices');
  return stream.messages.map(({ method }) => method ?? '');
}

describe('A client whose messages are lost', () => {
  let cluster: RunningCluster;
  let session: SessionClient;

  beforeEach(async () => {
    cluster = await startCluster({ providers: [WatchedDesk] });
    session = await initialize(cluster.processes[0].url);
    await session.request('resources/subscribe', { uri: 'desk://1' });
  });

  afterEach(() => cluster.close());

  /** Leaves after the first message, and gives the id to come back to. */
  async function leave(): Promise<string | undefined> {
    const stream = await session.openStream();
    announce(cluster.processes[1], 1);
    await stream.nextNotification(UPDATED);
    await stream.close();
    return stream.lastEventId;
  }

  it('is told so when they are no longer in the log, and hears what comes next (RELAY-03)', async () => {
    const lastEventId = await leave();
    announce(cluster.processes[1], 2, 3);
    await settle(cluster.processes[1]);
    const late = await cluster.start();
    cluster.engine.trim(1);
    const stream = await moveTo(late, session).openStream({ lastEventId });
    expect(await readNotices(stream)).toEqual([
      ...LISTS.filter((list) => !list.includes('prompts')),
      UPDATED,
      LOG,
    ]);
    announce(cluster.processes[1], 4);
    await untilNumber(stream, 4);
    expect(readNumbers(stream)).toEqual([4]);
    await stream.close();
  });

  it('is told so when the engine was emptied (RELAY-03) (RELAY-07)', async () => {
    const lastEventId = await leave();
    cluster.engine.clear();
    const [, two, three] = cluster.processes;
    const stream = await moveTo(three, session).openStream({ lastEventId });
    await readNotices(stream);
    announce(two, 2);
    await untilNumber(stream, 2);
    await until(() => {
      two.app.get(McpNotifier).resourceUpdated('desk://1');
      return countOf(stream, UPDATED) > 1;
    }, 'an update after the loss');
    expect(readNumbers(stream)).toEqual([2]);
    await stream.close();
  });

  it('is told so while it listens, and only the last notice has an id (RELAY-03)', async () => {
    const [one, two] = cluster.processes;
    const stream = await session.openStream();
    announce(two, 1);
    await untilNumber(stream, 1);
    cluster.engine.cut(one.member);
    announce(two, 2, 3);
    await settle(two);
    cluster.engine.trim(0);
    cluster.engine.heal();
    announce(two, 4);
    await untilNumber(stream, 4);
    await readNotices(stream);
    const notices = stream.events.filter(({ data }) => data?.includes('list_changed') === true);
    expect(notices.map(({ id }) => id)).toEqual(notices.map(() => undefined));
    const notice = stream.events.find(({ data }) => data?.includes('"warning"') === true);
    expect(notice?.id).toMatch(/^[a-z0-9]+:\d+$/);
    await stream.close();
  });

  it('is told so once: it goes on behind the notice (RELAY-03)', async () => {
    const lastEventId = await leave();
    cluster.engine.clear();
    const stream = await session.openStream({ lastEventId });
    await readNotices(stream);
    await stream.close();
    announce(cluster.processes[1], 2);
    const again = await moveTo(cluster.processes[2], session).openStream({ lastEventId: stream.lastEventId });
    await untilNumber(again, 2);
    expect([
      readNumbers(again),
      again.messages.filter(({ params }) => params?.['level'] === 'warning'),
    ]).toEqual([[2], []]);
    await again.close();
  });

  it('is not told so if they cannot be read for a while: it gets them then (RELAY-03) (RELAY-07)', async () => {
    const lastEventId = await leave();
    announce(cluster.processes[1], 2, 3);
    await settle(cluster.processes[1]);
    const late = await cluster.start();
    late.watched.refused.add('read');
    const stream = await moveTo(late, session).openStream({ lastEventId });
    const countReads = () => late.watched.commands.filter((command) => command === 'read').length;
    await until(() => countReads() > 2, 'tries to read');
    late.watched.refused.clear();
    await untilNumber(stream, 3);
    announce(cluster.processes[1], 4);
    await untilNumber(stream, 4);
    expect(readNumbers(stream)).toEqual([2, 3, 4]);
    expect(stream.messages.filter(({ params }) => params?.['level'] === 'warning')).toEqual([]);
    await stream.close();
  });

  it('is told so on the stateless wire (RELAY-03)', async () => {
    const [one, two] = cluster.processes;
    const stream = await perRequest(one.url).listen({
      toolsListChanged: true,
      resourceSubscriptions: ['desk://1'],
    });
    cluster.engine.cut(one.member);
    two.app.get(McpNotifier).toolsListChanged();
    two.app.get(McpNotifier).resourceUpdated('desk://1');
    await settle(two);
    cluster.engine.trim(0);
    cluster.engine.heal();
    await stream.nextNotification('notifications/tools/list_changed');
    await stream.nextNotification(UPDATED);
    expect(stream.status).toBe(200);
    await stream.close();
  });
});
