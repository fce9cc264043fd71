import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { HANDSHAKE_VERSIONS, initialize } from '../../support/clients/json-rpc.js';
import type { Message } from '../../support/clients/message.js';
import { openHttp, sendHttp } from '../../support/clients/raw-http.js';
import { claimOf, SseClient } from '../../support/clients/sse-client.js';
import { EventStream, type ServerEvent } from '../../support/clients/event-stream.js';
import { until } from '../../support/until.js';
import { bootSse, type SseDesk } from './sse-desk.js';

const INITIALIZE = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
const WITH_STREAM = { accept: 'text/event-stream' };

const isComment = ({ comments }: ServerEvent): boolean => comments.length > 0;

describe.each(ADAPTERS)('the HTTP+SSE transport on %s', (adapter) => {
  let desk: SseDesk;

  beforeAll(async () => {
    desk = await bootSse(adapter, { options: { streams: { keepAliveMs: 30 }, limits: { batchSize: 3 } } });
  });

  afterAll(() => desk.close());

  it('says first where to post, and then answers in messages (SSE-01)', async () => {
    const stream = new EventStream(await openHttp(desk.sse, { headers: WITH_STREAM }));
    const endpoint = await stream.next();
    expect(endpoint).toMatchObject({
      event: 'endpoint',
      data: expect.stringMatching(/^\/sse\?sessionId=[\w-]{36}$/),
    });
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(stream.headers).not.toHaveProperty('mcp-session-id');
    const json = { jsonrpc: '2.0', id: 'p', method: 'ping' };
    const posted = await sendHttp(`${desk.origin}${endpoint.data}`, { json });
    expect([posted.status, posted.text]).toEqual([202, '']);
    const answer = await stream.next(({ data }) => data !== undefined);
    expect(answer).toMatchObject({ event: 'message', data: '{"jsonrpc":"2.0","id":"p","result":{}}' });
    expect(answer).not.toHaveProperty('id');
    await stream.close();
  });

  it.each(HANDSHAKE_VERSIONS)('serves %s (SSE-01)', async (version) => {
    const client = await SseClient.open(desk.sse);
    const { result } = await client.initialize({ version });
    expect(result).toMatchObject({
      protocolVersion: version,
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
    });
    expect(JSON.parse(await client.callTool('caller'))).toMatchObject({ version });
    await client.close();
  });

  it('asks a request of 2026-07-28 for no header that repeats an argument, as for no other (SSE-01) (VER-04)', async () => {
    const client = await SseClient.open(desk.sse);
    const params = { name: 'region', arguments: { region: 'eu' }, _meta: claimOf() };
    expect((await client.request('tools/call', params)).result).toMatchObject({ content: [{ text: 'eu' }] });
    await client.close();
  });

  it('serves requests of 2026-07-28 by what they carry, as a pipe does (SSE-01)', async () => {
    const client = await SseClient.open(desk.sse);
    const meta = { _meta: claimOf() };
    const discovered = await client.request('server/discover', meta);
    expect(discovered.result).toMatchObject({ supportedVersions: ['2026-07-28'] });
    const called = await client.request('tools/call', { name: 'caller', ...meta });
    expect(JSON.stringify(called.result)).toContain('2026-07-28');
    const id = await client.send('subscriptions/listen', {
      notifications: { toolsListChanged: true },
      ...meta,
    });
    await client.stream.nextNotification('notifications/subscriptions/acknowledged');
    desk.notifier.toolsListChanged();
    await client.stream.nextNotification('notifications/tools/list_changed');
    await client.notify('notifications/cancelled', { requestId: id });
    await client.close();
  });

  it('takes batches of 2025-03-26, and of no other revision (SSE-01)', async () => {
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    const client = await SseClient.connect(desk.sse, { version: '2025-03-26' });
    expect((await client.post([ping(1001), ping(1002)])).status).toBe(202);
    const { data = '' } = await client.stream.next(({ data: text }) => text?.startsWith('[') === true);
    expect(JSON.parse(data)).toEqual([1001, 1002].map((id) => ({ jsonrpc: '2.0', id, result: {} })));
    await client.post([1, 2, 3, 4].map(ping));
    expect((await client.stream.nextMessage()).error?.message).toMatch(/not have more than 3 messages/);
    await client.close();

    const later = await SseClient.connect(desk.sse, { version: '2025-06-18' });
    await later.post([ping(1003)]);
    expect((await later.stream.nextMessage()).error?.code).toBe(-32600);
    await later.close();
  });

  it('takes one handshake, and a ping before it (SSE-01)', async () => {
    const client = await SseClient.open(desk.sse);
    expect((await client.request('ping')).result).toEqual({});
    await client.initialize();
    expect((await client.request('initialize', {})).error?.message).toMatch(/already initialized/);
    await client.close();
  });

  it('refuses what is no JSON in the answer to the POST, what is no message on the stream (SSE-01)', async () => {
    const client = await SseClient.connect(desk.sse);
    const broken = await sendHttp(client.endpoint, {
      body: '{',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    expect([broken.status, (broken.json as Message).error?.code]).toEqual([400, -32700]);
    expect((await client.post({ jsonrpc: '1.0' })).status).toBe(202);
    expect((await client.stream.nextMessage()).error?.code).toBe(-32600);
    const wrongType = await sendHttp(client.endpoint, {
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    });
    expect(wrongType.status).toBe(415);
    await client.close();
  });

  it.each([
    ['a session that is unknown', '?sessionId=8e07a9c8-2f1c-4d8e-9a93-000000000000', 404],
    ['an empty session', '?sessionId=', 404],
    ['no session', '', 405],
  ])('answers a POST to %s with %3$s (SSE-01)', async (_what, query, status) => {
    const answer = await sendHttp(`${desk.sse}${query}`, { json: INITIALIZE });
    expect([answer.status, answer.headers.allow]).toEqual([status, status === 405 ? 'GET, POST' : undefined]);
  });

  it.each(['DELETE', 'PUT', 'OPTIONS'])('answers %s with 405 (SSE-01)', async (method) => {
    const answer = await sendHttp(desk.sse, { method });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, POST']);
  });

  it('opens a stream for nobody who does not take one (SSE-01)', async () => {
    expect((await sendHttp(desk.sse, { headers: { accept: 'application/json' } })).status).toBe(406);
  });

  it('does not know the session of a stream that was closed (SSE-01)', async () => {
    const client = await SseClient.connect(desk.sse);
    await client.close();
    const { length } = await until(
      () => desk.notifier.sessions.length === 0 && [1],
      'the end of the session',
    );
    expect(length).toBe(1);
    expect((await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(404);
  });

  it('keeps its sessions apart from those of the endpoint (SSE-01)', async () => {
    const [old, current] = [await SseClient.connect(desk.sse), await initialize(desk.url)];
    const foreign = `${desk.sse}?sessionId=${encodeURIComponent(current.id)}`;
    expect((await sendHttp(foreign, { json: INITIALIZE })).status).toBe(404);
    const id = new URL(old.endpoint).searchParams.get('sessionId') ?? '';
    const answer = await sendHttp(desk.url, {
      json: { jsonrpc: '2.0', id: 1, method: 'ping' },
      headers: { accept: 'application/json', 'mcp-session-id': id },
    });
    expect(answer.status).toBe(404);
    await old.close();
    await current.delete();
  });

  it('is kept alive by comments (SSE-01) (HTTP-08)', async () => {
    const client = await SseClient.open(desk.sse);
    const beats = [await client.stream.next(isComment), await client.stream.next(isComment)];
    expect(beats.every(({ data }) => data === undefined)).toBe(true);
    await client.close();
  });

  it('is off unless it is configured (SSE-01)', async () => {
    const plain = await bootServer({ adapter });
    const answers = [
      await sendHttp(`${plain.origin}/sse`, { headers: WITH_STREAM }),
      await sendHttp(`${plain.origin}/sse`, { json: INITIALIZE }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    await plain.close();
  });
});
