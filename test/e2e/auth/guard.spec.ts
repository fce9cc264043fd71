import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { CountingTool } from '../../support/applications/counting-tool.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { authorize, bootDesk, CALLERS } from '../../support/applications/protected-desk.js';
import { readResponse, sendBytes, sendHttp } from '../../support/clients/raw-http.js';
import { within } from '../../support/until.js';

const { token } = CALLERS.ada;
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const STREAM = { accept: 'text/event-stream' };

describe.each(ADAPTERS)('A server without auth options on %s', (adapter) => {
  it('is open, whatever token is sent (AUTH-01)', async () => {
    const desk = await bootServer({ adapter, providers: [CountingTool] });
    for (const headers of [{}, authorize('anything-at-all'), { authorization: 'Basic b3Blbg==' }]) {
      const session = await initialize(desk.url, { headers });
      expect((await session.request('tools/call', { name: 'count' })).status).toBe(200);
      const stream = await session.openStream();
      await stream.close();
      expect((await session.delete()).status).toBe(204);
    }
    await desk.close();
  });
});

describe.each(ADAPTERS)('A server that asks for tokens on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, { providers: [CountingTool] });
  });

  afterAll(() => desk.close());

  const open = () => initialize(desk.url, { headers: authorize(token) });

  it.each(['POST', 'GET', 'DELETE'])('refuses %s without a token (AUTH-01, AUTH-14)', async (method) => {
    const answer = await sendHttp(desk.url, {
      method,
      headers: STREAM,
      ...(method === 'POST' && { json: PING }),
    });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  });

  it('asks each request of a session for its token: the session stands for none (AUTH-01)', async () => {
    const session = await open();
    const bare = { 'mcp-session-id': session.id, 'mcp-protocol-version': session.version };
    const messages = [
      PING,
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'count' } },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 'unasked', result: {} },
      [PING],
      { jsonrpc: '2.0', id: 3, method: 'initialize', params: {} },
    ];
    for (const headers of [bare, { ...bare, ...authorize('not-a-token-of-the-desk') }]) {
      const answers = await Promise.all([
        ...messages.map((message) => post(desk.url, message, headers)),
        sendHttp(desk.url, { headers: { ...STREAM, ...headers } }),
        sendHttp(desk.url, { headers: { ...STREAM, ...headers, 'last-event-id': '0:0' } }),
        sendHttp(desk.url, { method: 'DELETE', headers }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    }
    expect(await session.request('ping')).toMatchObject({ status: 200 });
  });

  it('serves each kind of request with the token (AUTH-01, AUTH-03)', async () => {
    const session = await open();
    expect((await session.request('tools/call', { name: 'count' })).status).toBe(200);
    expect((await session.notify('notifications/roots/list_changed')).status).toBe(202);
    expect((await session.post({ jsonrpc: '2.0', id: 'unasked', result: {} })).status).toBe(202);
    const stream = await session.openStream();
    await stream.close();
    expect((await session.delete()).status).toBe(204);
    const client = perRequest(desk.url, { headers: authorize(token) });
    expect((await client.request('tools/call', { name: 'count' })).status).toBe(200);
  });

  it('takes each of its fixed tokens, and nothing that resembles one (AUTH-03)', async () => {
    for (const { token: known } of Object.values(CALLERS)) {
      expect((await initialize(desk.url, { headers: authorize(known) })).id).not.toBe('');
    }
    const similar = [
      token.slice(0, -1),
      token.slice(1),
      `${token}x`,
      `x${token}`,
      `${token}=`,
      token.toUpperCase(),
      token.replace('ada', 'bob'),
      `${token}${token}`,
      [...token].toReversed().join(''),
    ];
    for (const candidate of similar) {
      expect(await statusOf({ authorization: `Bearer ${candidate}` })).toBe(401);
    }
  });

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('knows the scheme as "%s" (AUTH-02)', async (scheme) => {
    expect(await statusOf({ authorization: `${scheme} ${token}` })).toBe(200);
  });

  it('minds no further space between scheme and token (AUTH-02)', async () => {
    expect(await statusOf({ authorization: `Bearer   ${token}` })).toBe(200);
  });

  it.each([
    ['the query string by another name', `?token=${token}&authorization=Bearer%20${token}`, {}],
    ['a cookie', '', { cookie: `access_token=${token}; authorization=Bearer ${token}` }],
    ['Proxy-Authorization', '', { 'proxy-authorization': `Bearer ${token}` }],
    ['a header of its own', '', { 'x-access-token': token, 'x-authorization': `Bearer ${token}` }],
    ['the session id', '', { 'mcp-session-id': token }],
  ])('does not look for a token in %s (AUTH-02)', async (_, query, headers) => {
    const answers = await Promise.all([
      post(`${desk.url}${query}`, PING, headers),
      sendHttp(`${desk.url}${query}`, { headers: { ...STREAM, ...headers } }),
      sendHttp(`${desk.url}${query}`, { method: 'DELETE', headers }),
    ]);
    expect(answers.map(({ status, headers: sent }) => [status, sent['www-authenticate']])).toEqual(
      answers.map(() => [401, 'Bearer']),
    );
  });

  it('does not look for a token in the body (AUTH-02)', async () => {
    const inside = { ...PING, access_token: token, params: { _meta: { authorization: `Bearer ${token}` } } };
    expect((await post(desk.url, inside)).status).toBe(401);
    const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    const answer = await sendHttp(desk.url, { body: `access_token=${token}`, headers: form });
    expect([401, 415]).toContain(answer.status);
  });

  it.each([
    ['two headers', `Authorization: Bearer ${token}\r\nAuthorization: Bearer ${token}\r\n`],
    ['a good one before a bad one', `Authorization: Bearer ${token}\r\nauthorization: Bearer other\r\n`],
    ['a bad one before a good one', `AUTHORIZATION: Basic b3Blbg==\r\nAuthorization: Bearer ${token}\r\n`],
    ['an empty one before a good one', `Authorization:\r\nAuthorization: Bearer ${token}\r\n`],
    ['two tokens in one header', `Authorization: Bearer ${token}, Bearer ${token}\r\n`],
    ['two tokens with a space', `Authorization: Bearer ${token} ${token}\r\n`],
    ['the scheme twice', `Authorization: Bearer Bearer ${token}\r\n`],
    ['the scheme alone', `Authorization: Bearer\r\n`],
    ['a tab behind the scheme', `Authorization: Bearer\t${token}\r\n`],
    ['a quoted token', `Authorization: Bearer "${token}"\r\n`],
    ['a parameter behind the token', `Authorization: Bearer ${token}; realm=desk\r\n`],
    ['a parameter for the token', `Authorization: Bearer token=${token}\r\n`],
    ['another scheme', 'Authorization: Basic YWRhOnNlY3JldA==\r\n'],
    ['another scheme with our token', `Authorization: Token ${token}\r\n`],
    ['a longer scheme', `Authorization: Bearer${token}\r\n`],
    ['a token alone', `Authorization: ${token}\r\n`],
    ['an empty header', 'Authorization:\r\n'],
  ])('refuses %s (AUTH-02, AUTH-14)', async (_, header) => {
    const answer = await sendBytes(desk.port, requestWith(header));
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toMatch(
      /^WWW-Authenticate: Bearer error="invalid_token", error_description="Send .*"\r$/im,
    );
  });

  it('reaches no handler with a request that it refuses (AUTH-01)', async () => {
    const { calls } = desk.app.get(CountingTool);
    await post(desk.url, { ...PING, method: 'tools/call', params: { name: 'count' } });
    await perRequest(desk.url).request('tools/call', { name: 'count' });
    await perRequest(desk.url, { headers: authorize('not-a-token-of-the-desk') }).request('tools/call', {
      name: 'count',
    });
    expect(desk.app.get(CountingTool).calls).toBe(calls);
  });

  it.each([
    ['of no known length', {}],
    ['that is announced and does not come', { 'content-length': 4_000_000 }],
  ])('answers before it reads a body %s (AUTH-14)', async (_, length) => {
    const sent = request(desk.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...length },
      agent: false,
    });
    sent.on('error', () => undefined);
    sent.write('{"jsonrpc":"2.0",');
    const [response] = (await within(once(sent, 'response'), 'an answer')) as [IncomingMessage];
    const { status, headers, text } = await readResponse(response);
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(text).toBe('{"jsonrpc":"2.0","error":{"code":-32600,"message":"Unauthorized"}}');
    sent.destroy();
  });

  const statusOf = async (headers: Record<string, string>): Promise<number> =>
    (await perRequest(desk.url, { headers }).request('server/discover')).status;
});

function requestWith(header: string): string {
  const body = JSON.stringify(PING);
  const length = `Content-Length: ${body.length}`;
  return [
    'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json',
    `${header}${length}\r\n`,
    body,
  ].join('\r\n');
}
