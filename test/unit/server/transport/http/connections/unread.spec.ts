import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { STANDALONE_STREAM } from '../../../../../../lib/server/sessions/streams/stream-records.js';
import { EventStreams } from '../../../../../../lib/server/transport/http/streams/event-streams.js';
import {
  DetachedReply,
  SessionReply,
} from '../../../../../../lib/server/transport/http/replies/post-reply.js';
import { TestServer } from '../../../../support/http-server.js';
import { openSession } from '../../../../support/requests.js';
import { buildSettings } from '../../../../support/settings.js';
import { buildMessage } from '../../../../support/stream-reader.js';

const STREAM = { json: true, eventStream: true };
const JSON_ALONE = { json: true, eventStream: false };
const NOBODY = Number.POSITIVE_INFINITY;

describe('What a client has not read of the answer to its POST', () => {
  let server: TestServer;
  let streams: EventStreams;

  beforeEach(async () => {
    server = await TestServer.start();
    streams = new EventStreams(buildSettings());
  });

  afterEach(async () => {
    streams.close();
    await server.stop();
  });

  it('is what waits on the stateless wire, and without end where nobody reads (EXT-03)', async () => {
    const { exchange, leave } = await server.receivePost();
    const reply = new DetachedReply(exchange, streams, STREAM);
    expect(new DetachedReply(exchange, streams, JSON_ALONE).unread).toBe(NOBODY);
    expect(reply.unread).toBe(0);
    reply.send(buildMessage('x'.repeat(10_000)));
    expect(reply.unread).toBeGreaterThan(10_000);
    await leave();
    expect(reply.unread).toBe(NOBODY);
  });

  it('is nothing in a session whose client came back, and without end till then (EXT-03)', async () => {
    const session = openSession();
    const { exchange, leave } = await server.receivePost();
    const reply = new SessionReply(exchange, streams, STREAM, session);
    expect(reply.unread).toBe(0);
    reply.send(buildMessage('x'.repeat(10_000)));
    expect(reply.unread).toBeGreaterThan(10_000);
    await leave();
    expect(reply.unread).toBe(NOBODY);
    session.streams.open('1').subscribe();
    expect(reply.unread).toBe(0);
  });

  it('is without end where neither the answer nor the standing stream can carry it (EXT-03)', async () => {
    const session = openSession();
    const { exchange } = await server.receivePost();
    const reply = new SessionReply(exchange, streams, JSON_ALONE, session);
    expect(reply.unread).toBe(NOBODY);
    session.streams.open(STANDALONE_STREAM).subscribe();
    expect(reply.unread).toBe(0);
  });
});
