import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  OutboundError,
  OutboundNotification,
  OutboundResult,
} from '../../../../../../lib/core/protocol/outbound-message.js';
import { STANDALONE_STREAM } from '../../../../../../lib/server/sessions/streams/stream-records.js';
import type { Session } from '../../../../../../lib/server/sessions/session.js';
import { EventStreams } from '../../../../../../lib/server/transport/http/streams/event-streams.js';
import type { HttpExchange } from '../../../../../../lib/server/transport/http/http-exchange.js';
import {
  DetachedReply,
  SessionReply,
} from '../../../../../../lib/server/transport/http/replies/post-reply.js';
import { EventStream } from '../../../../../support/clients/event-stream.js';
import { readResponse } from '../../../../../support/clients/raw-http.js';
import { within } from '../../../../../support/until.js';
import { TestServer } from '../../../../support/http-server.js';
import { openSession } from '../../../../support/requests.js';
import { buildSettings } from '../../../../support/settings.js';
import { buildMessage, StreamReader } from '../../../../support/stream-reader.js';

const BOTH = { json: true, eventStream: true };
const RESPONSE = new OutboundResult(1, { content: [] });

describe('The answer to a POST', () => {
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

  describe('in a session', () => {
    let session: Session;

    beforeEach(() => {
      session = openSession();
    });

    const reply = (exchange: HttpExchange, accepted = BOTH) =>
      new SessionReply(exchange, streams, accepted, session);
    const openStanding = () => new StreamReader(session.streams.open(STANDALONE_STREAM));

    it('is one JSON object where nothing comes before the response (HTTP-02)', async () => {
      const { exchange, answer } = await server.receivePost();
      reply(exchange).end(RESPONSE);
      const { status, headers, text } = await readResponse(await answer);
      expect([status, headers['content-type'], text]).toEqual([200, 'application/json', RESPONSE.json]);
    });

    it('is an event stream from the first message on, and ends with the response (HTTP-02)', async () => {
      const { exchange, answer } = await server.receivePost();
      const replying = reply(exchange);
      replying.send(buildMessage('a'));
      const stream = new EventStream(await answer);
      expect((await stream.nextMessage()).params).toEqual({ text: 'a' });
      replying.send(buildMessage('b'));
      replying.end(RESPONSE);
      await within(stream.ended, 'the end of the stream');
      expect(stream.events.map(({ id }) => id)).toEqual(['1:0', '1:1', '1:2', '1:3']);
      expect(stream.messages.at(-1)).toEqual(JSON.parse(RESPONSE.json));
    });

    it('keeps its HTTP status where it is an error before any message (CORE-01)', async () => {
      const { exchange, answer } = await server.receivePost();
      reply(exchange, { json: false, eventStream: true }).end(
        new OutboundError(1, { code: -1, message: 'x' }, 503),
      );
      expect((await answer).statusCode).toBe(503);
    });

    it('is an event stream where the client takes nothing else (HTTP-02)', async () => {
      const { exchange, answer } = await server.receivePost();
      reply(exchange, { json: false, eventStream: true }).end(RESPONSE);
      const stream = new EventStream(await answer);
      await within(stream.ended, 'the end of the stream');
      expect(stream.messages).toEqual([JSON.parse(RESPONSE.json)]);
    });

    it('goes by JSON, and its messages by the standing stream, where the client takes no other (NOTE-06)', async () => {
      const { exchange, answer } = await server.receivePost();
      const standing = openStanding();
      const replying = reply(exchange, { json: true, eventStream: false });
      replying.send(buildMessage('a'));
      replying.end(RESPONSE);
      expect(standing.texts).toEqual(['a']);
      expect((await readResponse(await answer)).text).toBe(RESPONSE.json);
    });

    it('ends without a response where the request is cancelled (CANC-01)', async () => {
      for (const [accepted, isStreaming, status] of [
        [BOTH, false, 200],
        [BOTH, true, 200],
        [{ json: true, eventStream: false }, false, 202],
      ] as const) {
        const { exchange, answer } = await server.receivePost();
        const replying = reply(exchange, accepted);
        if (isStreaming) replying.send(buildMessage('a'));
        replying.end(undefined);
        const { status: given, text } = await readResponse(await answer);
        expect([given, text.includes('result')]).toEqual([status, false]);
      }
    });

    it('tells nothing but logs before the handshake is confirmed (SESS-01)', async () => {
      session = openSession(undefined, { isLive: false });
      const { exchange, answer } = await server.receivePost();
      const replying = reply(exchange);
      replying.send(buildMessage('too early'));
      replying.send(new OutboundNotification('notifications/message', { level: 'info', data: 1 }));
      replying.end(RESPONSE);
      const stream = new EventStream(await answer);
      await within(stream.ended, 'the end of the stream');
      expect(stream.messages.map(({ method }) => method)).toEqual(['notifications/message', undefined]);
    });

    it('goes on in the log where the client loses the stream, and is there when it comes back (HTTP-04)', async () => {
      const { exchange, answer, leave: go } = await server.receivePost();
      const replying = reply(exchange);
      replying.send(buildMessage('a'));
      await new EventStream(await answer).nextMessage();
      await go();
      replying.send(buildMessage('b'));
      replying.end(RESPONSE);
      expect(session.streams.hasReader).toBe(false);
      const resumed = session.streams.resume('1:1');
      const ids: string[] = [];
      if (typeof resumed !== 'string') resumed.subscribe(({ number }) => ids.push(String(number)));
      expect(ids).toEqual(['2', '3']);
    });

    it('goes by the standing stream where the client is gone before any message (NOTE-06)', async () => {
      const { exchange, leave: go } = await server.receivePost();
      const standing = openStanding();
      const replying = reply(exchange);
      await go();
      replying.send(buildMessage('a'));
      replying.end(RESPONSE);
      expect([standing.texts, session.streams.formatPosition('1')]).toEqual([['a'], '1:0']);
    });

    it('keeps nothing for a client that is gone and reads no other stream (SAFE-03)', async () => {
      const { exchange, leave: go } = await server.receivePost();
      const replying = reply(exchange, { json: false, eventStream: true });
      await go();
      replying.send(buildMessage('a'));
      replying.end(RESPONSE);
      expect(openStanding().texts).toEqual([]);
      expect(session.streams.resume('1:0')).toBe('unknown');
    });

    it('leaves an answer alone that something else has given (SAFE-04)', async () => {
      const { exchange, answer } = await server.receivePost();
      exchange.response.writeHead(408).end('too slow');
      const replying = reply(exchange);
      replying.send(buildMessage('a'));
      replying.end(RESPONSE);
      expect(await readResponse(await answer)).toMatchObject({ status: 408, text: 'too slow' });
    });
  });

  describe('on the stateless wire', () => {
    const reply = (exchange: HttpExchange, accepted = BOTH) => new DetachedReply(exchange, streams, accepted);

    it('is one JSON object, or an event stream without ids from the first message on (HTTP-02)', async () => {
      const first = await server.receivePost();
      reply(first.exchange).end(RESPONSE);
      expect((await readResponse(await first.answer)).text).toBe(RESPONSE.json);

      const { exchange, answer } = await server.receivePost();
      const replying = reply(exchange);
      replying.send(buildMessage('a'));
      replying.end(RESPONSE);
      const stream = new EventStream(await answer);
      await within(stream.ended, 'the end of the stream');
      expect(stream.events.map(({ id, data }) => [id, typeof data])).toEqual([
        [undefined, 'string'],
        [undefined, 'string'],
      ]);
    });

    it('drops messages where the client takes no event stream (HTTP-02)', async () => {
      const { exchange, answer } = await server.receivePost();
      const replying = reply(exchange, { json: true, eventStream: false });
      expect([replying.takesMessages, reply(exchange).takesMessages]).toEqual([false, true]);
      replying.send(buildMessage('a'));
      replying.end(RESPONSE);
      expect((await readResponse(await answer)).text).toBe(RESPONSE.json);
    });

    it('cancels its request when the client leaves (HTTP-09)', async () => {
      const reasons: string[] = [];
      const request = { cancel: (reason: string) => reasons.push(reason) };
      const gone = await server.receivePost();
      reply(gone.exchange).begin(request);
      await gone.leave();
      expect(reasons).toEqual(['The client is gone']);
    });

    it('cancels its request at once where the client has left already (HTTP-09)', async () => {
      const { exchange, leave: go } = await server.receivePost();
      await go();
      const reasons: string[] = [];
      reply(exchange).begin({ cancel: (reason) => reasons.push(reason) });
      expect(reasons).toEqual(['The client is gone']);
    });

    it('cancels all requests of a batch when the client leaves, by one listener (HTTP-09)', async () => {
      const reasons: string[] = [];
      const { exchange, leave: go } = await server.receivePost();
      const replying = reply(exchange);
      const begin = (name: string) =>
        replying.begin({ cancel: (reason) => reasons.push(`${name}: ${reason}`) });
      begin('first');
      const listeners = exchange.response.listenerCount('close');
      for (const name of ['second', 'third']) begin(name);
      expect(exchange.response.listenerCount('close')).toBe(listeners);
      await go();
      begin('late');
      expect(reasons).toEqual(
        ['first', 'second', 'third', 'late'].map((name) => `${name}: The client is gone`),
      );
    });

    it('is lost without harm where the client is gone (SAFE-04)', async () => {
      for (const accepted of [BOTH, { json: false, eventStream: true }]) {
        const { exchange, leave: go } = await server.receivePost();
        const replying = reply(exchange, accepted);
        await go();
        replying.send(buildMessage('a'));
        replying.end(RESPONSE);
        reply(exchange).end(RESPONSE);
        reply(exchange).end(undefined);
        expect(exchange.response.destroyed).toBe(true);
      }
    });

    it('leaves an answer alone that something else has given (SAFE-04)', async () => {
      const { exchange, answer } = await server.receivePost();
      exchange.response.writeHead(408).end('too slow');
      const replying = reply(exchange, { json: false, eventStream: true });
      replying.send(buildMessage('a'));
      replying.end(RESPONSE);
      expect(await readResponse(await answer)).toMatchObject({ status: 408, text: 'too slow' });
    });
  });
});
