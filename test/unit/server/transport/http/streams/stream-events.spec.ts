import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { STANDALONE_STREAM } from '../../../../../../lib/server/sessions/streams/stream-records.js';
import type { Session } from '../../../../../../lib/server/sessions/session.js';
import { EventStreams } from '../../../../../../lib/server/transport/http/streams/event-streams.js';
import { streamEvents } from '../../../../../../lib/server/transport/http/streams/stream-events.js';
import { EventStream } from '../../../../../support/clients/event-stream.js';
import { openHttp } from '../../../../../support/clients/raw-http.js';
import { until, within } from '../../../../../support/until.js';
import { TestServer } from '../../../../support/http-server.js';
import { openSession } from '../../../../support/requests.js';
import { buildSettings } from '../../../../support/settings.js';
import { buildMessage, StreamReader } from '../../../../support/stream-reader.js';

describe('streamEvents', () => {
  let server: TestServer;
  let streams: EventStreams;
  let session: Session;

  beforeEach(async () => {
    server = await TestServer.start();
    streams = new EventStreams(buildSettings());
    session = openSession();
  });

  afterEach(async () => {
    streams.close();
    await server.stop();
  });

  /** Answers the next GET with the standing stream. */
  async function open(): Promise<EventStream> {
    server.handle((_, response) => {
      const primingId = session.streams.formatPosition(STANDALONE_STREAM);
      const events$ = session.streams.open(STANDALONE_STREAM);
      streamEvents(streams, { response, session, events$, primingId });
    });
    return new EventStream(await within(openHttp(server.url), 'a stream'));
  }

  it('writes events with their ids, after the id to come back to (HTTP-04)', async () => {
    session.emit(buildMessage('a'));
    const stream = await open();
    session.emit(buildMessage('b'));
    await until(() => stream.messages.length === 2, 'two messages');
    expect(stream.events.map(({ id, event }) => [id, event])).toEqual([
      ['0:0', undefined],
      ['0:1', 'message'],
      ['0:2', 'message'],
    ]);
  });

  it('stops reading when its client leaves, and keeps what comes then (HTTP-04)', async () => {
    const stream = await open();
    await stream.close();
    await until(() => !session.streams.hasReader, 'the end of the reading');
    session.emit(buildMessage('a'));
    const next = await open();
    expect((await next.nextMessage()).params).toEqual({ text: 'a' });
  });

  it('ends the response when the session does (HTTP-05)', async () => {
    const stream = await open();
    session.end('over');
    await within(stream.ended, 'the end of the stream');
    expect(stream.messages).toEqual([]);
  });

  it('gives nothing to a client that is gone already, and takes no stream from another (HTTP-04)', async () => {
    const arrived = server.nextExchange();
    const client = new AbortController();
    openHttp(server.url, { signal: client.signal }).catch(() => undefined);
    const { response } = await arrived;
    const closed = once(response, 'close');
    client.abort();
    await within(closed, 'the end of a connection');

    session.emit(buildMessage('a'));
    streamEvents(streams, { response, session, events$: session.streams.open(STANDALONE_STREAM) });
    const reader = new StreamReader(session.streams.open(STANDALONE_STREAM));
    streamEvents(streams, { response, session, events$: session.streams.open(STANDALONE_STREAM) });
    expect(reader).toMatchObject({ texts: ['a'], isComplete: false });
  });
});

describe('EventStreams', () => {
  it('keeps every stream alive, and none that has ended (HTTP-08)', async () => {
    const server = await TestServer.start();
    const streams = new EventStreams(buildSettings({ streams: { keepAliveMs: 5 } }));
    server.handle((_, response) => streams.begin(response));
    const [one, other] = await Promise.all([openHttp(server.url), openHttp(server.url)]);
    const read = [one, other].map((response) => new EventStream(response));
    const comments = ({ events }: EventStream) => events.flatMap((event) => event.comments).length;
    await until(() => read.every((stream) => comments(stream) > 2), 'keep-alives');
    streams.close();
    await Promise.all(read.map(({ ended }) => within(ended, 'the end of a stream')));
    await server.drain();
    expect(read.flatMap(({ messages }) => messages)).toEqual([]);
  });

  it('ends every stream in the end, also that of a reader who does not read (MOD-12)', async () => {
    const server = await TestServer.start();
    const streams = new EventStreams(buildSettings({ streams: { maxQueuedBytes: 100_000_000 } }));
    const begun = new Promise<ReturnType<EventStreams['begin']>>((resolve) => {
      server.handle((_, response) => resolve(streams.begin(response)));
    });
    const opened = await openHttp(server.url);
    opened.pause();
    const writer = await begun;
    writer.writeMessage(JSON.stringify('x'.repeat(50_000_000)));
    streams.close();
    opened.on('error', () => undefined);
    await server.drain();
    opened.destroy();
    expect(writer.isOpen).toBe(false);
  });
});
