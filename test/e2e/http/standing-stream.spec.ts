import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { HANDSHAKE_VERSIONS, initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { until } from '../../support/until.js';

describe.each(ADAPTERS)('the standing stream on %s', (adapter) => {
  let desk: RunningApp;
  let notifier: McpNotifier;
  let session: SessionClient;

  beforeAll(async () => {
    desk = await bootServer({ adapter, options: { sessions: { eventLogSize: 8 } } });
    notifier = desk.app.get(McpNotifier);
  });

  beforeEach(async () => {
    session = await initialize(desk.url);
  });

  afterAll(() => desk.close());

  /** Reads log entries until one, and gives all of them. */
  async function readUntil(stream: EventStream, last: string): Promise<unknown[]> {
    await stream.nextMessage(({ params }) => params?.['data'] === last);
    return stream.messages.map(({ params }) => params?.['data']);
  }

  async function openingStatus(lastEventId?: string): Promise<number> {
    const headers = { accept: 'text/event-stream', ...session.headers };
    const response = await sendHttp(desk.url, {
      headers: { ...headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    });
    return response.status;
  }

  it('is an event stream (HTTP-04)', async () => {
    const stream = await session.openStream();
    expect([stream.status, stream.headers['content-type']]).toEqual([
      200,
      expect.stringMatching(/^text\/event-stream/),
    ]);
    await stream.close();
  });

  it('counts its events by an id of stream and number (HTTP-04)', async () => {
    const stream = await session.openStream();
    for (const data of ['a', 'b', 'c']) notifier.log('info', data);
    await readUntil(stream, 'c');
    const ids = stream.events.filter(({ data }) => data).map(({ id }) => id?.split(':'));
    const numbers = ids.map((parts) => Number(parts?.[1]));
    expect(new Set(ids.map((parts) => parts?.[0])).size).toBe(1);
    expect(numbers).toEqual([numbers[0], numbers[0]! + 1, numbers[0]! + 2]);
    await stream.close();
  });

  it('gives what was missed, once and in order, after Last-Event-ID (HTTP-04)', async () => {
    const stream = await session.openStream();
    for (const data of ['a', 'b']) notifier.log('info', data);
    await readUntil(stream, 'b');
    await stream.close();
    for (const data of ['c', 'd']) notifier.log('info', data);

    const resumed = await session.openStream({ lastEventId: stream.lastEventId });
    notifier.log('info', 'e');
    expect(await readUntil(resumed, 'e')).toEqual(['c', 'd', 'e']);
    const ids = [...stream.events, ...resumed.events].filter(({ data }) => data).map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
    await resumed.close();
  });

  it('goes back to any event that is kept (HTTP-04)', async () => {
    const stream = await session.openStream();
    for (const data of ['a', 'b', 'c']) notifier.log('info', data);
    await readUntil(stream, 'c');
    const first = stream.events.find(({ data }) => data);
    const resumed = await session.openStream({ lastEventId: first?.id });
    expect(await readUntil(resumed, 'c')).toEqual(['b', 'c']);
    await resumed.close();
  });

  it('is taken over by the request that resumes it (HTTP-04)', async () => {
    const stream = await session.openStream();
    notifier.log('info', 'a');
    await readUntil(stream, 'a');
    const resumed = await session.openStream({ lastEventId: stream.lastEventId });
    await stream.ended;
    notifier.log('info', 'b');
    expect(await readUntil(resumed, 'b')).toEqual(['b']);
    await resumed.close();
  });

  it('keeps what comes before it is opened (HTTP-04)', async () => {
    notifier.log('info', 'early');
    const stream = await session.openStream();
    expect(await readUntil(stream, 'early')).toEqual(['early']);
    await stream.close();
  });

  it('is one at a time: a second gets 409 (HTTP-04)', async () => {
    const stream = await session.openStream();
    expect(await openingStatus()).toBe(409);
    notifier.log('info', 'still here');
    expect(await readUntil(stream, 'still here')).toEqual(['still here']);
    await stream.close();
  });

  it('is opened again once the first is closed (HTTP-04)', async () => {
    await (await session.openStream()).close();
    const stream = await until(() => session.openStream().catch(() => undefined), 'a stream');
    expect(stream.status).toBe(200);
    await stream.close();
  });

  it.each(['nonsense', '0:99999', '99:1', '-1:1', '0:1.5', `0:${'9'.repeat(400)}`, '0', '::'])(
    'is refused after the event %s, which there never was (HTTP-04)',
    async (lastEventId) => {
      expect([400, 404]).toContain(await openingStatus(lastEventId));
    },
  );

  it('is refused after an event that is no longer kept (HTTP-04)', async () => {
    const stream = await session.openStream();
    notifier.log('info', 'first');
    await readUntil(stream, 'first');
    await stream.close();
    for (let count = 0; count < 20; count += 1) notifier.log('info', `later ${count}`);
    expect(await openingStatus(stream.lastEventId)).toBeGreaterThanOrEqual(400);
    await until(() => session.openStream().catch(() => undefined), 'a fresh stream');
  });

  it('never gives the events of another session (HTTP-04)', async () => {
    const other = await initialize(desk.url);
    await other.request('logging/setLevel', { level: 'debug' });
    const theirs = await other.openStream();
    notifier.log('debug', 'for the other one');
    await readUntil(theirs, 'for the other one');
    const mine = await session.openStream();
    notifier.log('info', 'first');
    notifier.log('info', 'second');
    await readUntil(mine, 'second');
    await mine.close();

    const resumed = await session.openStream({ lastEventId: theirs.lastEventId });
    notifier.log('info', 'last');
    expect(await readUntil(resumed, 'last')).not.toContain('for the other one');
    await resumed.close();
    await theirs.close();
  });

  it('is given up with its client, also where that has sent a body that nobody reads (HTTP-04)', async () => {
    const lines = ['GET /mcp HTTP/1.1', 'host: 127.0.0.1', 'accept: text/event-stream'];
    const body = 'x'.repeat(300_000);
    const client = connect(desk.port, '127.0.0.1');
    client.write(
      [...lines, `mcp-session-id: ${session.id}`, `content-length: ${body.length}`, '', body].join('\r\n'),
    );
    await once(client, 'data');
    expect(await openingStatus()).toBe(409);
    client.destroy();
    const stream = await until(() => session.openStream().catch(() => false as const), 'a stream');
    await stream.close();
  });

  it.each(HANDSHAKE_VERSIONS)(
    'begins in %s with an empty event from 2025-11-25 on (HTTP-04)',
    async (version) => {
      const client = await initialize(desk.url, { version });
      const stream = await client.openStream();
      notifier.log('info', 'first');
      await readUntil(stream, 'first');
      const priming = stream.events.filter(({ id, data }) => id !== undefined && !data);
      expect(priming).toHaveLength(version === '2025-11-25' ? 1 : 0);
      await stream.close();
    },
  );
});
