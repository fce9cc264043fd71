import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { callTool, callToolIn } from '../../support/clients/tools.js';
import { endAfterEach } from '../../support/cluster/end-after-each.js';
import { WAYS_TO_LISTEN } from '../../support/cluster/listening.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';

const LONG_MS = 30_000;
const READY = 'notifications/reports/ready';
const LIST_CHANGED = 'notifications/tools/list_changed';
const capabilities = { extensions: { 'com.example/reports': {} } };

let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start();
}, 120_000);

afterAll(() => cluster.stop());

const begin = endAfterEach();

/** In sessions: a client without one hears what is published to a subscription. */
const WAYS = WAYS_TO_LISTEN.filter(([way]) => !way.includes('subscriptions/listen'));

describe.each(WAYS)('On %s', (way, listen) => {
  it('a client that declared an extension hears its notifications, from whichever process (RELAY-01) (RELAY-04)', async () => {
    const { origin } = cluster.at(1);
    const [declared, other] = [await begin(listen(origin, { capabilities })), await begin(listen(origin))];
    for (const [week, { url }] of cluster.processes.entries()) {
      await callTool(url, 'publishReport', { week });
      expect(await declared.nextNotification(READY, LONG_MS)).toMatchObject({ params: { week } });
    }
    await callTool(cluster.urlOf(2), 'addTool', { name: way.replaceAll(/\W/g, '-') });
    await other.nextNotification(LIST_CHANGED, LONG_MS);
    expect(other.messages.map(({ method }) => method)).not.toContain(READY);
    expect(declared.messages.filter(({ method }) => method === READY)).toHaveLength(3);
  });
});

describe('What an extension publishes', () => {
  it('comes on streams of subscriptions/listen that asked for it, from whichever process to whichever (RELAY-01)', async () => {
    const streams = await Promise.all(
      cluster.processes.map(({ url }, index) =>
        begin(perRequest(url, { capabilities }).listen({ reports: [20, 21, 22, 10 + index] })),
      ),
    );
    // A process that is a little late still tells of the weeks of earlier tests.
    for (const [index, { url }] of cluster.processes.entries()) {
      for (const week of [10 + index, 20 + index]) await callTool(url, 'publishReport', { week });
      for (const stream of streams) {
        await stream.nextMessage(({ params }) => params?.['week'] === 20 + index, LONG_MS);
      }
    }
    const weeks = streams.map(({ messages }) =>
      messages.flatMap(({ method, params }) => (method === READY ? [params?.['week']] : [])),
    );
    expect(weeks).toEqual([
      [10, 20, 21, 22],
      [20, 11, 21, 22],
      [20, 21, 12, 22],
    ]);
  });
});

describe('A notification of an extension to one session', () => {
  it('comes on its stream in another process, and on no other stream (RELAY-01) (RELAY-04)', async () => {
    const sessions = await Promise.all([0, 1].map(() => initialize(cluster.urlOf(0), { capabilities })));
    const [one, other] = sessions.map((session) => session.at(cluster.urlOf(1)));
    const streams = [await begin(one!.openStream()), await begin(other!.openStream())];
    for (const [week, { url }] of cluster.processes.entries()) {
      await callToolIn(one!.at(url), 'publishReport', { week, isOwn: true });
      expect(await streams[0]!.nextNotification(READY, LONG_MS)).toMatchObject({ params: { week } });
    }
    await callToolIn(other!.at(cluster.urlOf(2)), 'publishReport', { week: 9, isOwn: true });
    await streams[1]!.nextNotification(READY, LONG_MS);
    const weeks = streams.map(({ messages }) => messages.map(({ params }) => params?.['week']));
    expect(weeks).toEqual([[0, 1, 2], [9]]);
  });
});
