import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { initialize } from '../../support/clients/json-rpc.js';
import { callToolIn } from '../../support/clients/tools.js';
import { KeptStream, range } from '../../support/cluster/kept-stream.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until, within } from '../../support/until.js';

const LONG_MS = 30_000;

let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start();
}, 120_000);

afterAll(() => cluster.stop());

describe('A session with streams in several processes', () => {
  it('gets what all are told on its standing stream alone (RELAY-04)', async () => {
    const session = await initialize(cluster.urlOf(0));
    const standing = await KeptStream.open(session);
    const params = { name: 'hold', arguments: { name: 'beside' }, _meta: { progressToken: 't' } };
    const call = session.at(cluster.urlOf(1)).start('tools/call', params);
    const streamOfCall = await call.stream();
    await streamOfCall.nextNotification('notifications/progress', LONG_MS);
    await callToolIn(session.at(cluster.urlOf(2)), 'announce', { count: 10 });
    await callToolIn(session.at(cluster.urlOf(1)), 'announce', { count: 10, from: 11 });
    await until(() => standing.numbers.length >= 20, 'all numbers', LONG_MS);
    await session.notify('notifications/cancelled', { requestId: call.id });
    await cluster.at(1).prints('aborted beside.');
    expect(standing.numbers.toSorted((one, other) => one - other)).toEqual(range(1, 20));
    expect(streamOfCall.messages.map(({ method }) => method)).not.toContain('notifications/message');
    await Promise.all([standing.close(), streamOfCall.close()]);
  });

  it('has one standing stream: a plain GET elsewhere is answered with 409 (RELAY-04)', async () => {
    const session = await initialize(cluster.urlOf(0));
    const standing = await session.openStream();
    await standing.next(({ id }) => id !== undefined);
    await expect(session.at(cluster.urlOf(1)).openStream()).rejects.toThrow('409');
    await callToolIn(session, 'announce', { count: 1 });
    await standing.nextNotification('notifications/message', LONG_MS);
    await standing.close();
    const next = await until(
      () =>
        session
          .at(cluster.urlOf(1))
          .openStream()
          .catch(() => undefined),
      'a place for the next',
      LONG_MS,
    );
    await next.close();
  });

  it('moves its standing stream to the process where it comes back for it, and ends the other (RELAY-04)', async () => {
    const session = await initialize(cluster.urlOf(0));
    const first = await session.openStream();
    await first.next(({ id }) => id !== undefined);
    const second = await session.at(cluster.urlOf(1)).openStream({ lastEventId: first.lastEventId });
    await within(first.ended, 'the end of the first stream', LONG_MS);
    await callToolIn(session, 'announce', { count: 5 });
    await until(() => second.messages.length >= 5, 'all numbers', LONG_MS);
    expect(second.messages).toHaveLength(5);
    expect(first.messages).toHaveLength(0);
    await second.close();
  });
});
