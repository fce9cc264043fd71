import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import { announce, WatchedDesk } from '../../support/applications/watched-desk.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { hearAndLeave } from '../../support/clients/hear-and-leave.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { countOf, untilNumber } from '../../support/clients/numbered.js';
import {
  moveTo,
  settle,
  startCluster,
  type ClusterProcess,
  type RunningCluster,
} from '../../support/cluster/start-cluster.js';
import { until } from '../../support/until.js';
import { getParts } from '../../support/applications/get-parts.js';

const LIST_CHANGED = 'notifications/tools/list_changed';
const UPDATED = 'notifications/resources/updated';

/** Says of each message what it is, with the number of an entry, and whether it can be come back to. */
function describeMessages({ events }: EventStream): readonly string[] {
  return events.flatMap(({ id, data }) => {
    if (data === undefined || data === '') return [];
    const number = /"n":(\d+)/.exec(data)?.[1];
    const { method } = JSON.parse(data) as { readonly method: string };
    return [`${number ?? method}${id === undefined ? ' without a place' : ''}`];
  });
}

describe('A stream at a process that cannot read what is known of its session', () => {
  let cluster: RunningCluster;
  let session: SessionClient;
  let lastEventId: string | undefined;

  beforeEach(async () => {
    cluster = await startCluster({ providers: [WatchedDesk] });
    session = await initialize(cluster.processes[0].url);
    await session.request('resources/subscribe', { uri: 'desk://1' });
    lastEventId = await hearAndLeave(session, { process: cluster.processes[0], updates: 1 });
  });

  afterEach(() => cluster.close());

  /** Has a process tell something, and waits until another was given it. */
  async function tell(from: ClusterProcess, to: ClusterProcess, act: (notifier: McpNotifier) => void) {
    const position = () => getParts(to.app).foundation.bus.position?.number ?? 0;
    const before = position();
    act(from.app.get(McpNotifier));
    await settle(from);
    // An update, an entry, and what was settled by.
    await until(() => position() === before + 3, 'the process to be given it');
  }

  it('brings all of it in order and once, as soon as that can be read, and tells of no loss (RELAY-03) (RELAY-07)', async () => {
    const [, two, three] = cluster.processes;
    cluster.engine.cut(two.member);
    const stream = await moveTo(two, session).openStream({ lastEventId });
    announce(three, 2);
    three.app.get(McpNotifier).toolsListChanged();
    await settle(three);
    announce(two, 3);
    cluster.engine.heal();
    await untilNumber(stream, 3);
    await until(() => countOf(stream, UPDATED) === 2, 'the updates');
    announce(three, 4);
    await until(() => countOf(stream, UPDATED) === 3, 'the last update');
    expect(describeMessages(stream)).toEqual(['2', UPDATED, LIST_CHANGED, '3', UPDATED, '4', UPDATED]);
    await stream.close();
  });

  it('keeps what a client missed that leaves before that (RELAY-03)', async () => {
    const [, two, three] = cluster.processes;
    two.watched.isHung = true;
    const early = await moveTo(two, session).openStream({ lastEventId });
    await tell(three, two, (notifier) => {
      notifier.resourceUpdated('desk://1');
      notifier.log('info', { n: 2 });
    });
    await early.close();
    two.watched.isHung = false;
    const known = early.lastEventId ?? lastEventId;
    const stream = await moveTo(three, session).openStream({ lastEventId: known });
    announce(three, 3);
    await untilNumber(stream, 3);
    expect([...describeMessages(early), ...describeMessages(stream)].slice(0, 3)).toEqual([
      UPDATED,
      '2',
      '3',
    ]);
    await stream.close();
  });

  it('brings nothing that its client does not want (RELAY-01)', async () => {
    const [one, two, three] = cluster.processes;
    await session.request('logging/setLevel', { level: 'error' });
    two.watched.isHung = true;
    const stream = await moveTo(two, session).openStream({ lastEventId });
    await tell(three, two, (notifier) => {
      notifier.log('info', { n: 2 });
      notifier.resourceUpdated('desk://1');
    });
    two.watched.isHung = false;
    one.app.get(McpNotifier).log('error', { n: 3 });
    await untilNumber(stream, 3);
    expect(describeMessages(stream)).toEqual([UPDATED, '3']);
    await stream.close();
  });

  it('ends if the session has ended (RELAY-07)', async () => {
    const [one, two] = cluster.processes;
    cluster.engine.cut(two.member);
    const stream = await moveTo(two, session).openStream({ lastEventId });
    await session.delete();
    await settle(one);
    cluster.engine.trim(0);
    cluster.engine.heal();
    await stream.ended;
    expect(describeMessages(stream)).toEqual([]);
  });
});

describe('A stream at a process that cannot read the log', () => {
  it('begins when it can, behind what its client has got, and tells of no loss (RELAY-03) (RELAY-07)', async () => {
    const cluster = await startCluster({ providers: [WatchedDesk] });
    const [one, two] = cluster.processes;
    const session = await initialize(one.url);
    const lastEventId = await hearAndLeave(session, { process: two });
    announce(two, 2);
    await settle(two);
    const late = await cluster.start();
    const elsewhere = moveTo(late, session);
    await elsewhere.request('ping');
    cluster.engine.cut(late.member);
    const stream = await elsewhere.openStream({ lastEventId });
    announce(late, 4);
    announce(two, 3);
    await settle(two);
    cluster.engine.heal();
    await untilNumber(stream, 4);
    expect(describeMessages(stream)).toEqual(['2', '3', '4']);
    await stream.close();
    await cluster.close();
  });
});
