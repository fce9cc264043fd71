import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { entriesOf, namesOf } from '../../support/clients/entries.js';
import {
  HANDSHAKE_VERSIONS,
  initialize,
  perRequest,
  type SessionClient,
} from '../../support/clients/json-rpc.js';
import { callToolIn } from '../../support/clients/tools.js';
import { neverTwice } from '../../support/cluster/balancer.js';
import { KeptStream } from '../../support/cluster/kept-stream.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until } from '../../support/until.js';

const WATCHED = 'cluster://watched';
const LONG_MS = 30_000;

let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start({ choose: neverTwice() });
}, 120_000);

afterAll(() => cluster.stop());

/** The same session in each of the processes. */
function everywhere(session: SessionClient): SessionClient[] {
  return cluster.processes.map(({ url }) => session.at(url));
}

describe.each(HANDSHAKE_VERSIONS)(
  'A session of %s, no two requests of which reach the same process',
  (version) => {
    it('lists, reads, calls and pings (RELAY-01)', async () => {
      const session = await initialize(cluster.url, { version });
      const pids = new Set<string>();
      for (let count = 0; count < 6; count += 1) {
        pids.add(await callToolIn(session, 'where'));
        expect((await session.request('ping')).result).toEqual({});
      }
      const { result: listed } = await session.request('tools/list');
      const { result: read } = await session.request('resources/read', { uri: WATCHED });
      expect(pids.size).toBeGreaterThan(1);
      expect(namesOf(listed, 'tools')).toContain('where');
      expect(entriesOf(read, 'contents')).toMatchObject([{ uri: WATCHED }]);
    });

    it('gets progress and log entries of each call, before its result (RELAY-01)', async () => {
      const session = await initialize(cluster.url, { version });
      for (const one of everywhere(session)) {
        const params = { name: 'steps', arguments: { count: 3 }, _meta: { progressToken: 't' } };
        const { notifications, result } = await one.request('tools/call', params);
        const heard = notifications.filter(({ method }) => method === 'notifications/progress');
        expect(heard.map(({ params: said }) => said?.['progress'])).toEqual([1, 2, 3]);
        expect(result).toBeDefined();
      }
    });

    it('hears on its one stream what any process tells, by what it set in any (RELAY-01) (RELAY-04)', async () => {
      const [first, second, third] = everywhere(await initialize(cluster.url, { version })) as Three;
      const stream = await KeptStream.open(first);
      await second.request('logging/setLevel', { level: 'warning' });
      await third.request('resources/subscribe', { uri: WATCHED });
      // A process that is a little late may give a session what was said before it was opened.
      const high = [0, 1, 2].map((index) => `high ${index} of ${version}`);
      const last = `last of ${version}`;
      const textsHere = () => textsOf(stream).filter((text) => String(text).endsWith(version));
      for (const [index, one] of [first, second, third].entries()) {
        await callToolIn(one, 'say', { level: 'info', text: `low ${index} of ${version}` });
        await callToolIn(one, 'say', { level: 'error', text: high[index] });
        await callToolIn(one, 'update');
      }
      await until(() => textsHere().length >= 3, 'what was said', LONG_MS);
      await until(() => stream.count('notifications/resources/updated') >= 3, 'updates', LONG_MS);
      await second.request('resources/unsubscribe', { uri: WATCHED });
      await callToolIn(first, 'update');
      await callToolIn(third, 'say', { level: 'error', text: last });
      await until(() => textsHere().includes(last), 'the last', LONG_MS);
      expect(textsHere()).toHaveLength(4);
      expect(new Set(textsHere())).toEqual(new Set([...high, last]));
      expect(stream.count('notifications/resources/updated')).toBe(3);
      await stream.close();
    });

    it('is told when the list of tools changes in another process (RELAY-01)', async () => {
      const session = await initialize(cluster.urlOf(0), { version });
      const stream = await KeptStream.open(session);
      await callToolIn(session.at(cluster.urlOf(1)), 'addTool', { name: `later-${version}` });
      const isTold = () => stream.count('notifications/tools/list_changed') > 0;
      expect(await until(isTold, 'the change', LONG_MS)).toBe(true);
      await stream.close();
    });
  },
);

describe('A client of 2026-07-28, no two requests of which reach the same process', () => {
  it('lists, calls and gets progress (RELAY-01)', async () => {
    const client = perRequest(cluster.url);
    for (let count = 0; count < 6; count += 1) {
      const params = { name: 'steps', arguments: { count: 2 }, _meta: { progressToken: 't' } };
      const { notifications, result } = await client.request('tools/call', params);
      const heard = notifications.filter(({ method }) => method === 'notifications/progress');
      expect(heard.map(({ params: said }) => said?.['progress'])).toEqual([1, 2]);
      expect(result).toBeDefined();
    }
    expect((await client.request('tools/list')).result).toBeDefined();
  });

  it('hears by what it listens to in one what any of them tells, once (RELAY-01) (RELAY-04)', async () => {
    const listening = await perRequest(cluster.urlOf(0)).listen({
      toolsListChanged: true,
      resourceSubscriptions: [WATCHED],
    });
    for (const { url } of cluster.processes) {
      await perRequest(url).request('tools/call', { name: 'update' });
    }
    await perRequest(cluster.urlOf(2)).request('tools/call', { name: 'addTool', arguments: { name: 'end' } });
    await listening.nextNotification('notifications/tools/list_changed', LONG_MS);
    const update = 'notifications/resources/updated';
    const countUpdates = () => listening.messages.filter(({ method }) => method === update).length;
    await until(() => countUpdates() >= 3, 'updates', LONG_MS);
    expect(countUpdates()).toBe(3);
    await listening.close();
  });

  it('is asked by one process, and answers to another (RELAY-01) (RELAY-05)', async () => {
    const client = perRequest(cluster.url, { capabilities: { elicitation: { form: {} } } });
    const first = await client.request('tools/call', { name: 'ask' });
    expect(first.result).toMatchObject({ resultType: 'input_required' });
    const { requestState } = first.result ?? {};
    const inputResponses = { word: { action: 'accept', content: { word: 'verso' } } };
    const second = await client.request('tools/call', { name: 'ask', requestState, inputResponses });
    expect(second.result).toMatchObject({ content: [{ text: expect.stringMatching(/^verso at/) }] });
  });
});

type Three = [SessionClient, SessionClient, SessionClient];

/** What `say` said. */
function textsOf({ heard }: KeptStream): unknown[] {
  return heard.flatMap(({ message: { method, params } }) =>
    method === 'notifications/message' ? [params?.['data']] : [],
  );
}
