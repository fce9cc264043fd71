import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpNotifier, Public, RequireScope, Tool, type McpContext, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { authorize, CALLERS } from '../../support/applications/protected-desk.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { until, within } from '../../support/until.js';
import { bootSse, type SseDesk } from './sse-desk.js';

const PING = { jsonrpc: '2.0', id: 'ping', method: 'ping' };

describe.each(ADAPTERS)('protected HTTP+SSE on %s', (adapter) => {
  let issuer: TestIssuer;
  let desk: SseDesk;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
    const auth = {
      resourceUri: 'https://desk.example.com/mcp',
      authorizationServers: [issuer.url],
      jwt: {},
      endStreamsWithToken: true,
    };
    desk = await bootSse(adapter, { options: { auth } });
  });

  afterAll(async () => {
    await desk.close();
    await issuer.stop();
  });

  const tokenOf = async (sub: string, claims: object = {}) =>
    authorize(await issuer.token({ sub, ...claims }));

  it('asks for a token when the stream is opened (SSE-02)', async () => {
    const answer = await sendHttp(desk.sse, { headers: { accept: 'text/event-stream' } });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer .*resource_metadata="https:\/\/desk/);
  });

  it('asks for a token on every POST, before it looks at anything else (SSE-02)', async () => {
    const client = await SseClient.connect(desk.sse, { headers: await tokenOf('ada') });
    const before = client.stream.messages.length;
    const statuses = await Promise.all(
      [undefined, 'Bearer nonsense'].map(async (authorization) => {
        const headers = authorization === undefined ? {} : { authorization };
        return (await sendHttp(client.endpoint, { json: PING, headers })).status;
      }),
    );
    const unknown = await sendHttp(`${desk.sse}?sessionId=unknown`, { json: PING });
    expect([...statuses, unknown.status]).toEqual([401, 401, 401]);
    await client.request('ping');
    expect(client.stream.messages).toHaveLength(before + 1);
    await client.close();
  });

  it("does not know the stream of another caller's (SSE-02) (SESS-04)", async () => {
    const client = await SseClient.connect(desk.sse, { headers: await tokenOf('ada') });
    const answers = await Promise.all([
      client.post(PING, await tokenOf('bob')),
      sendHttp(`${desk.sse}?sessionId=unknown`, { json: PING, headers: await tokenOf('bob') }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
    await client.request('ping');
    expect(client.stream.messages.filter(({ id }) => id === 'ping')).toEqual([]);
    await client.close();
  });

  it("goes on with a fresh token of the same caller's, whose claims count from then on (SSE-02)", async () => {
    const client = await SseClient.connect(desk.sse, {
      headers: await tokenOf('ada', { scope: 'desk:read' }),
    });
    const call = { jsonrpc: '2.0', id: 'fresh', method: 'tools/call', params: { name: 'caller' } };
    const { status } = await client.post(call, await tokenOf('ada', { scope: 'desk:read desk:write' }));
    expect(status).toBe(202);
    const { result } = await client.response('fresh');
    const [content] = (result?.['content'] ?? []) as { text: string }[];
    expect(JSON.parse(content?.text ?? '')).toMatchObject({
      subject: 'ada',
      ofSession: 'ada',
      scopes: ['desk:read', 'desk:write'],
    });
    await client.close();
  });

  it('ends the stream with the latest token where that is asked for (SSE-02) (AUTH-05)', async () => {
    const soon = { exp: Math.floor(Date.now() / 1000) + 2 };
    const [renewed, ending] = [
      await SseClient.connect(desk.sse, { headers: await tokenOf('ada', soon) }),
      await SseClient.connect(desk.sse, { headers: await tokenOf('ada', soon) }),
    ];
    await renewed.post(PING, await tokenOf('ada'));
    await within(ending.stream.ended, 'the end of the stream');
    const { status } = await renewed.post(PING, await tokenOf('ada'));
    expect([status, renewed.stream.isEnded]).toEqual([202, false]);
    await renewed.close();
  });
});

@Injectable()
class MixedTools {
  @Public()
  @Tool({ description: 'Opens to all' })
  greet(): string {
    return 'Hello';
  }

  @RequireScope('desk:write')
  @Tool({ description: 'Writes' })
  write(_arguments: object, { auth }: McpContext): string {
    return `written by ${auth.claims?.sub}`;
  }
}

function bootMixed(adapter: AdapterName, options: Partial<McpOptions> = {}): Promise<RunningApp> {
  const auth = { bearer: Object.values(CALLERS) };
  return bootServer({ adapter, options: { sse: true, auth, ...options }, providers: [MixedTools] });
}

describe.each(ADAPTERS)('HTTP+SSE with a public tool on %s', (adapter) => {
  let desk: RunningApp;
  let sse: string;

  beforeAll(async () => {
    desk = await bootMixed(adapter);
    sse = `${desk.origin}/sse`;
  });

  afterAll(() => desk.close());

  const write = { jsonrpc: '2.0', id: 'w', method: 'tools/call', params: { name: 'write' } };

  it('belongs to the first who brings a token, and to nobody else then (SSE-02)', async () => {
    const client = await SseClient.connect(sse);
    expect(await client.callTool('greet')).toBe('Hello');
    expect((await client.post(write, authorize(CALLERS.ada.token))).status).toBe(202);
    expect(JSON.stringify((await client.response('w')).result)).toContain('written by ada');
    expect((await client.post(write, authorize(CALLERS.bob.token))).status).toBe(404);
    expect((await client.post(write)).status).toBe(404);
    await client.close();
  });

  it('hears of changes still when it has become the stream of a caller (SSE-02) (NOTE-03)', async () => {
    const client = await SseClient.connect(sse);
    const notifier = desk.app.get(McpNotifier);
    const heard = () => client.stream.nextNotification('notifications/tools/list_changed');
    notifier.toolsListChanged();
    await heard();
    await client.post(write);
    expect(JSON.stringify(await client.response('w'))).toContain('Unauthorized');
    await client.notify('notifications/initialized');
    expect((await client.post(PING, authorize(CALLERS.ada.token))).status).toBe(202);
    await client.response('ping');
    notifier.toolsListChanged();
    await heard();
    await client.close();
  });

  it('hears of changes still when a notification was the first to bring a token (SSE-02) (NOTE-03)', async () => {
    const client = await SseClient.connect(sse);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'none' } };
    expect((await client.post(cancelled, authorize(CALLERS.ada.token))).status).toBe(202);
    desk.app.get(McpNotifier).toolsListChanged();
    await client.stream.nextNotification('notifications/tools/list_changed');
    await client.close();
  });

  it('is counted for whom it has become, as long as it is open (SSE-02) (HTTP-10)', async () => {
    const small = await bootMixed(adapter, { sessions: { maxSessionsPerCaller: 1 } });
    const url = `${small.origin}/sse`;
    const [ada, bob] = [authorize(CALLERS.ada.token), authorize(CALLERS.bob.token)];
    const taken = await SseClient.open(url);
    for (let count = 0; count < 3; count += 1) expect((await taken.post(PING, ada)).status).toBe(202);
    expect((await sendHttp(url, { headers: { accept: 'text/event-stream', ...ada } })).status).toBe(429);
    await (await SseClient.open(url, bob)).close();
    await taken.close();
    const own = await until(() => SseClient.open(url, ada).catch(() => undefined), 'a free place');
    expect((await sendHttp(url, { headers: { accept: 'text/event-stream', ...ada } })).status).toBe(429);
    await own.close();
    await until(() => SseClient.open(url, ada).catch(() => undefined), 'a free place');
    await small.close();
  });

  it('answers on the stream that a scope is missing (SSE-02) (AUTH-04)', async () => {
    const client = await SseClient.connect(sse, { headers: authorize(CALLERS.bob.token) });
    expect((await client.post(write)).status).toBe(202);
    const { result, error } = await client.response('w');
    expect(JSON.stringify(result ?? error)).toContain('desk:write');
    await client.close();
  });
});
