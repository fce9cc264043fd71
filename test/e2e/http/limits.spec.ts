import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, post } from '../../support/clients/json-rpc.js';
import { sendBytes, sendHttp, type RawResponse } from '../../support/clients/raw-http.js';

const LIMIT = 2000;
const request = (size: number) => {
  const padding = 'x'.repeat(
    size - JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { p: '' } }).length,
  );
  return { jsonrpc: '2.0', id: 1, method: 'ping', params: { p: padding } };
};

describe.each(ADAPTERS)('the limits of a request body on %s', (adapter) => {
  let desk: RunningApp;
  let tuned: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter });
    tuned = await bootServer({
      adapter,
      options: {
        limits: { bodyBytes: LIMIT, contentTypes: ['application/json', 'application/vnd.desk+json'] },
      },
    });
  });

  afterAll(async () => {
    await desk.close();
    await tuned.close();
  });

  /** Sends a body in chunks, so that nobody is told its length beforehand. */
  function sendChunked(url: string, json: unknown, headers = {}): Promise<RawResponse> {
    return sendHttp(url, { json, method: 'POST', headers: { 'transfer-encoding': 'chunked', ...headers } });
  }

  it('takes a body of the limit (HTTP-07)', async () => {
    const session = await initialize(tuned.url);
    expect((await session.post(request(LIMIT))).status).toBe(200);
    expect((await sendChunked(tuned.url, request(LIMIT), session.headers)).status).toBe(200);
  });

  it('answers a body over the limit with 413 (HTTP-07)', async () => {
    const session = await initialize(tuned.url);
    const answer = await session.post(request(LIMIT + 1));
    expect([answer.status, answer.json]).toEqual([413, { jsonrpc: '2.0', error: expect.anything() }]);
  });

  it('answers a body over the limit with 413 where its length is not told (HTTP-07)', async () => {
    const session = await initialize(tuned.url);
    expect((await sendChunked(tuned.url, request(LIMIT + 1), session.headers)).status).toBe(413);
    expect((await sendChunked(tuned.url, request(50 * LIMIT), session.headers)).status).toBe(413);
  });

  it('counts bytes, not characters (HTTP-07)', async () => {
    const session = await initialize(tuned.url);
    const wide = { ...request(100), params: { p: '世'.repeat(LIMIT / 2) } };
    expect((await session.post(wide)).status).toBe(413);
  });

  it('answers by the length that is told, without waiting for the body (HTTP-07)', async () => {
    const head = [
      'POST /mcp HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${10 ** 9}`,
      'Connection: close',
    ].join('\r\n');
    expect(await sendBytes(tuned.port, `${head}\r\n\r\n{`)).toMatch(/^HTTP\/1.1 413 /);
  });

  it('takes four megabytes unless told otherwise (HTTP-07)', async () => {
    const session = await initialize(desk.url);
    expect((await session.post(request(4 * 1024 * 1024))).status).toBe(200);
    expect((await session.post(request(4 * 1024 * 1024 + 1))).status).toBe(413);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'application/vnd.desk+json',
    '',
  ])('answers the content type %j with 415 (HTTP-07)', async (type) => {
    const session = await initialize(desk.url);
    const answer = await session.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'content-type': type });
    expect(answer.status).toBe(415);
  });

  it('answers a body without a content type with 415 (HTTP-07)', async () => {
    const session = await initialize(desk.url);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect((await sendHttp(desk.url, { method: 'POST', body, headers: session.headers })).status).toBe(415);
  });

  it.each(['gzip', 'br', 'identity, gzip'])(
    'answers the content encoding %j with 415 (HTTP-07)',
    async (encoding) => {
      const session = await initialize(desk.url);
      const answer = await session.post(
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        { 'content-encoding': encoding },
      );
      expect(answer.status).toBe(415);
    },
  );

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])(
    'takes the content type %s (HTTP-07)',
    async (type) => {
      const session = await initialize(desk.url);
      const answer = await session.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'content-type': type });
      expect(answer.status).toBe(200);
    },
  );

  it('takes the content types that are configured (HTTP-07)', async () => {
    const session = await initialize(tuned.url);
    const headers = { 'content-type': 'application/vnd.desk+json' };
    expect((await session.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, headers)).status).toBe(200);
  });

  it('harms no other session (HTTP-07)', async () => {
    const [session, other] = [await initialize(tuned.url), await initialize(tuned.url)];
    const stream = await other.openStream();
    const refused = await Promise.all([
      session.post(request(10 * LIMIT)),
      sendChunked(tuned.url, request(10 * LIMIT), session.headers),
      session.post({}, { 'content-type': 'text/plain' }),
      post(tuned.url, request(10 * LIMIT)),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([413, 413, 415, 413]);

    tuned.app.get(McpNotifier).log('info', 'still here');
    await stream.nextNotification('notifications/message');
    expect((await session.request('ping')).result).toEqual({});
    expect((await other.request('ping')).result).toEqual({});
    await stream.close();
  });
});
