import { afterEach, describe, expect, it } from '@jest/globals';
import type { McpOptions } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { authorize, CALLERS } from '../../support/applications/protected-desk.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { within } from '../../support/until.js';
import { bootSse, type SseDesk } from './sse-desk.js';

const CHANGED = 'notifications/tools/list_changed';
const AGAIN = { 'last-event-id': '0' };
const LISTING = { jsonrpc: '2.0', id: 'list', method: 'tools/list' };

describe.each(ADAPTERS)('a client of HTTP+SSE that goes on without a handshake, on %s', (adapter) => {
  let desk: SseDesk;

  afterEach(() => desk.close());

  const boot = async (options: Partial<McpOptions> = {}) => {
    desk = await bootSse(adapter, { options });
  };
  const speaking = (version: string) => ({ 'mcp-protocol-version': version });
  const versionOf = async (client: SseClient) => JSON.parse(await client.callTool('caller')).version;

  it('lists, calls, reads and subscribes (SSE-01)', async () => {
    await boot();
    const client = await SseClient.open(desk.sse);
    expect((await client.request('tools/list')).result).toHaveProperty('tools');
    expect(await client.callTool('echo', { text: 'hi' })).toBe('hi');
    expect((await client.request('resources/read', { uri: 'desk://note' })).result).toHaveProperty(
      'contents',
    );
    expect((await client.request('resources/subscribe', { uri: 'desk://note' })).result).toEqual({});
    desk.notifier.resourceUpdated('desk://note');
    await client.stream.nextNotification('notifications/resources/updated');
    expect(desk.notifier.sessions).toHaveLength(1);
    await client.close();
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'is served in the revision that its header names, %s (SSE-01, VER-01)',
    async (version) => {
      await boot();
      const client = await SseClient.open(desk.sse, speaking(version));
      expect(await versionOf(client)).toBe(version);
      await client.close();
    },
  );

  it('is served in 2025-03-26, batches included, if it names none (SSE-01, CORE-09)', async () => {
    await boot();
    const client = await SseClient.open(desk.sse);
    await client.post([LISTING]);
    expect((await client.stream.next(({ data }) => data?.startsWith('[') === true)).data).toContain(
      '"tools"',
    );
    desk.notifier.toolsListChanged();
    await client.stream.nextNotification(CHANGED);
    expect(await versionOf(client)).toBe('2025-03-26');
    await client.close();
  });

  it.each(['2026-07-28', '2025-01-01'])(
    'is told how to begin if it names %s, which has no handshake or is not served (SSE-01)',
    async (version) => {
      await boot();
      const client = await SseClient.open(desk.sse, speaking(version));
      expect((await client.request('tools/list')).error).toMatchObject({
        code: -32600,
        message: expect.stringMatching(/send "initialize" first/),
      });
      await client.close();
    },
  );

  it('opens no session by a ping, or by what the server does not have (SSE-01)', async () => {
    await boot();
    const client = await SseClient.open(desk.sse);
    expect((await client.request('ping')).result).toEqual({});
    expect((await client.request('server/discover')).error?.code).toBe(-32601);
    expect(desk.notifier.sessions).toHaveLength(0);
    await client.close();
  });

  it('hears of changes before it asks for anything if it shows that it comes back (NOTE-03)', async () => {
    await boot();
    const clients = [
      await SseClient.open(desk.sse, AGAIN),
      await SseClient.open(desk.sse, speaking('2025-06-18')),
    ];
    const fresh = await SseClient.open(desk.sse);
    desk.notifier.toolsListChanged();
    for (const client of clients) await client.stream.nextNotification(CHANGED);
    await fresh.request('ping');
    expect(fresh.stream.messages.filter(({ method }) => method === CHANGED)).toEqual([]);
    for (const client of [...clients, fresh]) await client.close();
  });

  it('keeps its stream though it says nothing, other than one that is new (FAIR-04)', async () => {
    await boot({ sessions: { unusedTimeoutMs: 50 } });
    const returned = await SseClient.open(desk.sse, AGAIN);
    const fresh = await SseClient.open(desk.sse);
    await within(fresh.stream.ended, 'the end of the stream that nobody uses');
    expect(await returned.callTool('echo', { text: 'still here' })).toBe('still here');
    await returned.close();
  });

  it('is given an id by which it is known when it comes back, and told when to (SSE-01)', async () => {
    await boot({ streams: { retryMs: 70 } });
    const client = await SseClient.open(desk.sse);
    expect(client.stream.events[0]).toMatchObject({ event: 'endpoint', id: '0', retry: 70 });
    await client.close();
  });

  it('is asked nothing, since what it declared is gone (REV-01)', async () => {
    await boot();
    const client = await SseClient.open(desk.sse, AGAIN);
    const { error, result } = await client.request('tools/call', {
      name: 'ask',
      arguments: { text: 'Word?' },
    });
    expect(JSON.stringify(error ?? result)).toMatch(/elicitation/);
    await client.close();
  });

  it('may shake hands all the same, and is asked from then on (SSE-01)', async () => {
    await boot();
    const client = await SseClient.open(desk.sse, AGAIN);
    expect(await versionOf(client)).toBe('2025-03-26');
    const { result } = await client.initialize({ version: '2025-06-18', capabilities: { elicitation: {} } });
    expect(result).toMatchObject({ protocolVersion: '2025-06-18' });
    expect(await versionOf(client)).toBe('2025-06-18');
    expect(desk.notifier.sessions).toHaveLength(1);
    const id = await client.send('tools/call', { name: 'ask', arguments: { text: 'Word?' } });
    const question = await client.stream.nextMessage(({ method }) => method === 'elicitation/create');
    await client.post({
      jsonrpc: '2.0',
      id: question.id,
      result: { action: 'accept', content: { text: 'yes' } },
    });
    expect((await client.response(id)).result).toMatchObject({ content: [{ text: 'yes' }] });
    desk.notifier.toolsListChanged();
    await client.stream.nextNotification(CHANGED);
    expect((await client.request('initialize', {})).error?.message).toMatch(/already initialized/);
    await client.close();
  });

  it('has what runs refused when it shakes hands after all (SSE-01)', async () => {
    await boot();
    const client = await SseClient.open(desk.sse);
    const id = await client.send('tools/call', { name: 'wait', arguments: { gate: 'early' } });
    await desk.tools.gates.at('early').reached();
    await client.post({
      jsonrpc: '2.0',
      id: 'hands',
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'e2e', version: '1.0.0' },
      },
    });
    expect((await client.response('hands')).result).toMatchObject({ protocolVersion: '2025-06-18' });
    const refused = client.stream.messages.find((message) => message.id === id);
    expect(refused?.error?.code).toBe(-32600);
    expect(desk.tools.aborted).toEqual(['early']);
    await client.close();
  });

  it('ends its session with its stream (SSE-01)', async () => {
    await boot();
    const client = await SseClient.open(desk.sse, AGAIN);
    await client.send('tools/call', { name: 'wait', arguments: { gate: 'last' } });
    await desk.tools.gates.at('last').reached();
    await client.close();
    const next = await SseClient.connect(desk.sse);
    expect(desk.tools.aborted).toEqual(['last']);
    expect(desk.notifier.sessions).toHaveLength(1);
    await next.close();
  });

  it('has one place with its stream, and makes room as others do (FAIR-04)', async () => {
    await boot({ sessions: { maxSessions: 2 } });
    const [idle, used] = [await SseClient.open(desk.sse, AGAIN), await SseClient.open(desk.sse, AGAIN)];
    for (const client of [idle, used]) await client.request('tools/list');
    const next = await SseClient.open(desk.sse, AGAIN);
    await within(idle.stream.ended, 'the end of the longest idle');
    expect(await next.callTool('echo', { text: 'in' })).toBe('in');
    expect(desk.notifier.sessions).toHaveLength(2);
    for (const client of [used, next]) await client.close();
  });

  it('is told where there is no memory for its session, and keeps its stream (FAIR-02)', async () => {
    // Enough for the stream and a request, and not for a session besides.
    const bytes = 35_000;
    await boot({ memory: { maxBytes: bytes, maxBytesPerAddress: bytes } });
    const client = await SseClient.open(desk.sse);
    expect((await client.request('tools/list')).error?.message).toMatch(/memory/);
    expect((await client.request('ping')).result).toEqual({});
    expect(desk.notifier.sessions).toHaveLength(0);
    await client.close();
  });
});

describe.each(ADAPTERS)(
  'a client of protected HTTP+SSE that goes on without a handshake, on %s',
  (adapter) => {
    let desk: SseDesk;

    afterEach(() => desk.close());

    it('has the session for itself, with what its token allows (SSE-02) (SESS-04)', async () => {
      desk = await bootSse(adapter, { options: { auth: { bearer: Object.values(CALLERS) } } });
      const [ada, bob] = [CALLERS.ada, CALLERS.bob].map(({ token }) => authorize(token));
      const client = await SseClient.open(desk.sse, { ...ada, ...AGAIN });
      expect(JSON.parse(await client.callTool('caller'))).toMatchObject({
        subject: 'ada',
        ofSession: 'ada',
        scopes: ['desk:read', 'desk:write'],
      });
      expect((await client.post(LISTING, bob)).status).toBe(404);
      expect((await sendHttp(client.endpoint, { json: LISTING })).status).toBe(401);
      const { status } = await sendHttp(desk.sse, { headers: { accept: 'text/event-stream', ...AGAIN } });
      expect(status).toBe(401);
      await client.close();
    });
  },
);
