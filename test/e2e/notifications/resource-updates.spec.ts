import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import { AnyResource } from '../../support/applications/any-resource.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { HANDSHAKE_VERSIONS, initialize } from '../../support/clients/json-rpc.js';

const A = 'desk://tickets/a';
const B = 'desk://tickets/b';

describe.each(ADAPTERS)('resources/updated on %s', (adapter) => {
  let desk: RunningApp;
  let notifier: McpNotifier;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [AnyResource] });
    notifier = desk.app.get(McpNotifier);
  });

  afterAll(() => desk.close());

  /** Gives the URIs of the updates so far, in order. */
  async function updates(stream: EventStream): Promise<unknown[]> {
    // Each has its own: what another stream waits for comes on this one too.
    const sentinel = randomUUID();
    notifier.log('emergency', sentinel);
    await stream.nextMessage(({ params }) => params?.['data'] === sentinel);
    return stream.messages.flatMap(({ method, params }) =>
      method === 'notifications/resources/updated' ? [params?.['uri']] : [],
    );
  }

  it.each(HANDSHAKE_VERSIONS)('goes in %s to who subscribed to the URI (NOTE-04)', async (version) => {
    const [subscribed, other] = [
      await initialize(desk.url, { version }),
      await initialize(desk.url, { version }),
    ];
    await subscribed.request('resources/subscribe', { uri: A });
    await other.request('resources/subscribe', { uri: B });
    const streams = [await subscribed.openStream(), await other.openStream()];
    notifier.resourceUpdated(A);
    expect(await streams[0]!.nextNotification('notifications/resources/updated')).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri: A },
    });
    expect(await Promise.all(streams.map(updates))).toEqual([[A], []]);
    for (const stream of streams) await stream.close();
  });

  it('goes to nobody who did not subscribe (NOTE-04)', async () => {
    const stream = await (await initialize(desk.url)).openStream();
    notifier.resourceUpdated(A);
    expect(await updates(stream)).toEqual([]);
    await stream.close();
  });

  it('is sent once for each update, however often one subscribed (NOTE-02, NOTE-04)', async () => {
    const session = await initialize(desk.url);
    await session.request('resources/subscribe', { uri: A });
    await session.request('resources/subscribe', { uri: A });
    const stream = await session.openStream();
    notifier.resourceUpdated(A);
    notifier.resourceUpdated(A);
    expect(await updates(stream)).toEqual([A, A]);
    await session.request('resources/unsubscribe', { uri: A });
    notifier.resourceUpdated(A);
    expect(await updates(stream)).toEqual([A, A]);
    await stream.close();
  });

  it('ends with unsubscribe, for that URI alone (NOTE-04)', async () => {
    const session = await initialize(desk.url);
    for (const uri of [A, B]) await session.request('resources/subscribe', { uri });
    const stream = await session.openStream();
    await session.request('resources/unsubscribe', { uri: A });
    notifier.resourceUpdated(A);
    notifier.resourceUpdated(B);
    expect(await updates(stream)).toEqual([B]);
    await stream.close();
  });

  it('ends with the session, for that session alone (NOTE-04)', async () => {
    const [leaving, staying] = [await initialize(desk.url), await initialize(desk.url)];
    for (const session of [leaving, staying]) await session.request('resources/subscribe', { uri: A });
    const streams = [await leaving.openStream(), await staying.openStream()] as const;
    notifier.resourceUpdated(A);
    expect(await Promise.all(streams.map(updates))).toEqual([[A], [A]]);
    const before = streams[0].messages.length;
    await leaving.delete();
    await streams[0].ended;
    const next = await (await initialize(desk.url)).openStream();
    notifier.resourceUpdated(A);
    expect(await updates(streams[1])).toEqual([A, A]);
    expect(await updates(next)).toEqual([]);
    expect(streams[0].messages).toHaveLength(before);
    for (const stream of [streams[1], next]) await stream.close();
  });

  it('compares URIs as they are written (NOTE-04)', async () => {
    const session = await initialize(desk.url);
    await session.request('resources/subscribe', { uri: A });
    const stream = await session.openStream();
    for (const uri of [`${A}/`, A.toUpperCase(), `${A}/comments`, '__proto__']) notifier.resourceUpdated(uri);
    expect(await updates(stream)).toEqual([]);
    await stream.close();
  });
});
