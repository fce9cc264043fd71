import { afterEach, describe, expect, it } from '@jest/globals';
import type { McpOptions } from 'nestjs-mcp';
import { request } from 'node:http';
import { ADAPTERS } from '../../support/applications/boot.js';
import { authorize, CALLERS } from '../../support/applications/protected-desk.js';
import { openHttp, sendHttp } from '../../support/clients/raw-http.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { StalledReader } from '../../support/clients/stalled-reader.js';
import { until, within } from '../../support/until.js';
import { bootSse, type SseDesk } from './sse-desk.js';

const STREAM = { accept: 'text/event-stream' };

describe.each(ADAPTERS)('the bounds of HTTP+SSE on %s', (adapter) => {
  let desk: SseDesk;

  afterEach(() => desk.close());

  const boot = async (options: Partial<McpOptions>) => {
    desk = await bootSse(adapter, { options });
  };

  it('keep bodies within limits (SSE-01) (HTTP-10)', async () => {
    await boot({ limits: { bodyBytes: 1000 } });
    const client = await SseClient.connect(desk.sse);
    const { status } = await client.post({
      jsonrpc: '2.0',
      id: 1,
      method: 'ping',
      params: { x: 'x'.repeat(1000) },
    });
    expect(status).toBe(413);
    expect((await client.request('ping')).result).toEqual({});
  });

  it('open no more streams than there may be sessions, and open again (SSE-01) (HTTP-10)', async () => {
    await boot({ sessions: { maxSessions: 2 } });
    const clients = [await SseClient.connect(desk.sse), await SseClient.connect(desk.sse)];
    for (const [index, client] of clients.entries()) {
      await client.send('tools/call', { name: 'wait', arguments: { gate: `${index}` } });
      await desk.tools.gates.at(`${index}`).reached();
    }
    const refused = await sendHttp(desk.sse, { headers: STREAM });
    expect(refused.status).toBe(429);
    expect(refused.headers).toHaveProperty('retry-after');
    await clients[0]?.close();
    const next = await until(() => SseClient.connect(desk.sse).catch(() => undefined), 'a free place');
    expect((await next.request('ping')).result).toEqual({});
  });

  it('have the longest idle stream make room for another (FAIR-04)', async () => {
    await boot({ sessions: { maxSessions: 2 } });
    const [idle, used] = [await SseClient.connect(desk.sse), await SseClient.connect(desk.sse)];
    for (const client of [idle, used]) await client.request('tools/list');
    const next = await SseClient.connect(desk.sse);
    await within(idle.stream.ended, 'the end of the stream that made room');
    for (const client of [used, next]) expect((await client.request('ping')).result).toEqual({});
    expect(desk.notifier.sessions).toHaveLength(2);
  });

  it('end a stream on which nobody shakes hands, in seconds (FAIR-04)', async () => {
    await boot({ sessions: { unusedTimeoutMs: 2000 } });
    const [silent, connected] = [await SseClient.open(desk.sse), await SseClient.connect(desk.sse)];
    await within(silent.stream.ended, 'the end of the silent stream');
    expect((await connected.request('ping')).result).toEqual({});
  });

  it('open no more streams for one caller than that may have sessions (SSE-01) (HTTP-10)', async () => {
    const auth = { bearer: Object.values(CALLERS) };
    await boot({ auth, sessions: { maxSessionsPerCaller: 1 } });
    await SseClient.open(desk.sse, authorize(CALLERS.ada.token));
    const again = await sendHttp(desk.sse, { headers: { ...STREAM, ...authorize(CALLERS.ada.token) } });
    expect(again.status).toBe(429);
    const other = await SseClient.connect(desk.sse, { headers: authorize(CALLERS.bob.token) });
    expect((await other.request('ping')).result).toEqual({});
  });

  it('run no more requests of one stream at once than they may (SSE-01) (HTTP-10)', async () => {
    await boot({ limits: { requestsInFlight: 2 } });
    const client = await SseClient.connect(desk.sse);
    for (const gate of ['a', 'b']) await client.send('tools/call', { name: 'wait', arguments: { gate } });
    await Promise.all(['a', 'b'].map((gate) => desk.tools.gates.at(gate).reached()));
    expect((await client.request('ping')).error?.message).toMatch(/too many concurrent requests/);
    desk.tools.gates.at('a').open();
    await client.stream.nextMessage(({ result }) => result?.['content'] !== undefined);
    expect((await client.request('ping')).result).toEqual({});
  });

  it('take the stream from a reader that does not read, and end its session (SSE-01) (HTTP-08)', async () => {
    await boot({ streams: { maxQueuedBytes: 100_000 } });
    const response = await openHttp(desk.sse, { headers: STREAM });
    const [head] = (await new Promise<Buffer>((resolve) => response.once('data', resolve)))
      .toString()
      .match(/(?<=data: ).*/) ?? [''];
    const endpoint = `${desk.origin}${head}`;
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'e', version: '1' },
    };
    await sendHttp(endpoint, { json: { jsonrpc: '2.0', id: 1, method: 'initialize', params } });
    await sendHttp(endpoint, { json: { jsonrpc: '2.0', method: 'notifications/initialized' } });
    const reader = new StalledReader(response);
    const text = 'x'.repeat(100_000);
    await until(() => {
      desk.notifier.log('error', text);
      return desk.notifier.sessions.length === 0;
    }, 'the end of the session');
    await reader.drain();
    expect((await sendHttp(endpoint, { json: { jsonrpc: '2.0', id: 2, method: 'ping' } })).status).toBe(404);
  });

  it('open no session for a body that outlives its stream (SSE-01) (SAFE-03)', async () => {
    await boot({});
    const client = await SseClient.open(desk.sse);
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'e', version: '1' },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const slow = request(client.endpoint, { method: 'POST', headers, agent: false });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      slow.once('response', ({ statusCode }) => resolve(statusCode));
      slow.once('error', reject);
    });
    slow.write(body.slice(0, 10));
    // The stream of another client shows that the server had time to see what came before.
    await (await SseClient.connect(desk.sse)).request('ping');
    await client.close();
    const isGone = async () =>
      (await sendHttp(client.endpoint, { json: { jsonrpc: '2.0', method: 'x' } })).status === 404;
    await until(isGone, 'the end of the stream');
    slow.end(body.slice(10));
    expect(await within(answered, 'an answer')).toBe(404);
    expect(desk.notifier.sessions).toHaveLength(1);
  });
});
