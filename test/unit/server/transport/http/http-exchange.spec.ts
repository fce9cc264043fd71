import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpError } from '../../../../../lib/core/protocol/mcp.error.js';
import { OutboundResult } from '../../../../../lib/core/protocol/outbound-message.js';
import { HttpExchange } from '../../../../../lib/server/transport/http/http-exchange.js';
import { openHttp, readResponse, sendHttp, type RawResponse } from '../../../../support/clients/raw-http.js';
import { until, within } from '../../../../support/until.js';
import { TestServer } from '../../../support/http-server.js';

const RESPONSE = new OutboundResult('é', { text: 'é世😀' });

const BOUNDS = { bytes: 100, values: 100, depth: 10 };

describe('HttpExchange', () => {
  let server: TestServer;

  beforeEach(async () => {
    server = await TestServer.start();
  });

  afterEach(() => server.stop());

  async function arrive(body = '{"a":1}', headers = { 'content-type': 'application/json' }) {
    const arrived = server.nextExchange();
    const answer = openHttp(server.url, { method: 'POST', body, headers }).then(readResponse);
    answer.catch(() => undefined);
    return { exchange: await arrived, answer };
  }

  it('answers with a message and its length in bytes (HTTP-02)', async () => {
    const { exchange, answer } = await arrive();
    exchange.sendMessage(200, RESPONSE);
    const { status, headers, text } = await answer;
    expect([status, headers['content-type'], text]).toEqual([200, 'application/json', RESPONSE.json]);
    expect(headers['content-length']).toBe(String(Buffer.byteLength(RESPONSE.json)));
  });

  it('says once that an event stream begins (HTTP-02)', async () => {
    const { exchange, answer } = await arrive();
    let begun = 0;
    exchange.onStream(() => (begun += 1));
    exchange.beginStream();
    exchange.beginStream().end();
    await answer;
    expect(begun).toBe(1);
  });

  it('answers without a body (HTTP-01)', async () => {
    const { exchange, answer } = await arrive();
    exchange.sendEmpty(202);
    expect(await answer).toMatchObject({ status: 202, text: '' });
  });

  it.each<[McpError, number, string | undefined]>([
    [McpError.invalidRequest('x'), 400, undefined],
    [new McpError(-32603, 'x'), 400, undefined],
    [new McpError(-32603, 'x', undefined, 503), 503, '5'],
    [new McpError(-32600, 'x', undefined, 404), 404, undefined],
  ])(
    'refuses with the HTTP status of %j, the id of the request and when to come again (CORE-01)',
    async (error, status, retryAfter) => {
      for (const id of [undefined, 'a', 0]) {
        const { exchange, answer } = await arrive();
        exchange.refuse(error, id);
        const given: RawResponse = await answer;
        expect([given.status, given.headers['retry-after']]).toEqual([status, retryAfter]);
        expect(given.json).toEqual({
          jsonrpc: '2.0',
          ...(id !== undefined && { id }),
          error: error.toJSON(),
        });
      }
    },
  );

  it('answers once, and never over what something else has answered (SAFE-04)', async () => {
    const { exchange, answer } = await arrive();
    expect([exchange.isAnswered, exchange.isOpen]).toEqual([false, true]);
    exchange.sendEmpty(202);
    expect([exchange.isAnswered, exchange.isOpen]).toEqual([true, false]);
    exchange.sendMessage(200, RESPONSE);
    exchange.refuse(new McpError(-32603, 'x', undefined, 503));
    exchange.sendEmpty(204);
    expect(await answer).toMatchObject({ status: 202, text: '' });
  });

  it.each(['close', 'reset'] as const)(
    'takes a client that is gone by a %s without complaint (SAFE-01)',
    async (way) => {
      const arrived = server.nextExchange();
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}');
      const exchange = await arrived;
      const errors: Error[] = [];
      exchange.response.on('error', (error) => errors.push(error));
      const closed = once(exchange.response, 'close');
      if (way === 'reset') socket.resetAndDestroy();
      else socket.destroy();
      await within(closed, 'the end of a connection');

      expect(exchange.isOpen).toBe(false);
      exchange.sendMessage(200, RESPONSE);
      exchange.refuse(McpError.invalidRequest('x'));
      exchange.sendEmpty(202);
      await new Promise(setImmediate);
      expect(errors).toEqual([]);
    },
  );

  it('knows of a client that is gone while its request waits behind another (HTTP-09)', async () => {
    const exchanges: HttpExchange[] = [];
    server.handle((request, response) => exchanges.push(new HttpExchange(request, response, 60_000)));
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2));
    await until(() => exchanges.length === 2, 'two requests');
    expect(exchanges.map(({ isOpen }) => isOpen)).toEqual([true, true]);
    socket.destroy();
    await until(() => !exchanges.some(({ isOpen }) => isOpen), 'the end of both');
    expect(exchanges.map(({ isAnswered }) => isAnswered)).toEqual([false, false]);
  });

  describe('the body', () => {
    it('is read as JSON (CORE-01)', async () => {
      const { exchange } = await arrive('{"a":[1,"é"]}');
      expect(await exchange.readJson(BOUNDS)).toMatchObject({ value: { a: [1, 'é'] } });
      exchange.sendEmpty(202);
    });

    it('is waited for no more once all of it was taken, which Node tells later (HTTP-07)', async () => {
      const seen: unknown[] = [];
      server.handle((request, response) => {
        const exchange = new HttpExchange(request, response, 60_000);
        queueMicrotask(() => {
          seen.push(exchange.takeBody(100)?.toString(), request.complete);
          exchange.sendMessage(200, RESPONSE);
          seen.push(request.listenerCount('end'), request.listenerCount('close'));
        });
      });
      const { status } = await sendHttp(server.url, { method: 'POST', body: '{"a":1}' });
      expect([status, ...seen]).toEqual([200, '{"a":1}', false, 0, 0]);
    });

    it('that is no JSON is answered with -32700, a longer one with 413 (CORE-01, HTTP-07)', async () => {
      const broken = await arrive('{"a":');
      await expect(broken.exchange.readJson(BOUNDS)).rejects.toMatchObject({ code: -32700, httpStatus: 400 });
      broken.exchange.sendEmpty(400);
      const long = await arrive('"xxxxxxxxxx"');
      await expect(long.exchange.readJson({ ...BOUNDS, bytes: 5 })).rejects.toMatchObject({
        httpStatus: 413,
      });
      long.exchange.sendEmpty(413);
    });

    it.each<[string, unknown, unknown]>([
      ['JSON', { a: 1 }, { a: 1 }],
      ['text', '{"a":1}', { a: 1 }],
      ['bytes', Buffer.from('{"a":1}'), { a: 1 }],
    ])('that a parser has read already is taken as %s (MOD-09)', async (_kind, parsed, json) => {
      const { exchange, answer } = await arrive();
      exchange.attach();
      const ended = once(exchange.raw, 'end');
      exchange.raw.resume();
      await within(ended, 'the end of the body');
      exchange.enter(Object.assign(exchange.raw, { body: parsed }));
      expect(await exchange.readJson(BOUNDS)).toMatchObject({ value: json });
      exchange.sendEmpty(202);
      await answer;
    });

    it('is hidden from parsers on the way to the controller, and there again after (MOD-09)', async () => {
      const { exchange, answer } = await arrive();
      const { 'content-type': type, 'content-length': length } = exchange.headers;
      exchange.attach();
      expect(HttpExchange.find(exchange.raw)).toBe(exchange);
      expect([exchange.headers['content-type'], exchange.headers['content-length']]).toEqual([
        undefined,
        undefined,
      ]);
      exchange.enter({ adapter: true });
      expect([exchange.headers['content-type'], exchange.headers['content-length']]).toEqual([type, length]);
      expect(exchange.request).toEqual({ adapter: true });
      exchange.sendEmpty(202);
      await answer;
    });
  });
});
