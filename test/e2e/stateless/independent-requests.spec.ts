import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../support/applications/boot.js';
import { HANDSHAKE_VERSIONS, initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import type { Message } from '../../support/clients/message.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { bootStateless, type StatelessDesk } from './stateless-desk.js';

const call = (name: string, given: object = {}, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
});

const readCaller = ({ result }: Message): unknown => {
  const [content] = (result?.['content'] ?? []) as { text: string }[];
  return JSON.parse(content?.text ?? 'null');
};

const structured = (message: unknown) => (message as Message).result?.['structuredContent'];

describe.each(ADAPTERS)('a server without sessions on %s', (adapter) => {
  let desk: StatelessDesk;

  beforeAll(async () => {
    desk = await bootStateless(adapter);
  });

  afterAll(() => desk.close());

  it.each(HANDSHAKE_VERSIONS)(
    'shakes hands in %s, gives no session id and tracks none (STLS-01)',
    async (version) => {
      const session = await initialize(desk.url, { version });
      expect(session.version).toBe(version);
      expect(session.handshake.headers).not.toHaveProperty('mcp-session-id');
      expect(desk.notifier.sessions).toEqual([]);
      expect((await session.request('ping')).result).toEqual({});
    },
  );

  it('declares nothing that needs a session (STLS-01)', async () => {
    const { result } = await initialize(desk.url);
    expect(result['capabilities']).toEqual({ tools: {}, resources: {}, prompts: {} });
  });

  it.each([...HANDSHAKE_VERSIONS])(
    'serves %s as if it had been initialized, by its version header (STLS-01)',
    async (version) => {
      const answer = await post(desk.url, call('caller'), { 'mcp-protocol-version': version });
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty('mcp-session-id');
      expect(readCaller(answer.json as Message)).toMatchObject({
        version,
        session: null,
        capabilities: {},
        name: null,
      });
    },
  );

  it('takes a request without a version header for one of 2025-03-26 (STLS-01)', async () => {
    const { json } = await post(desk.url, call('caller'));
    expect(readCaller(json as Message)).toMatchObject({ version: '2025-03-26' });
  });

  it('takes batches of 2025-03-26, and of no other revision (STLS-01)', async () => {
    const batch = [
      call('echo', { text: 'a' }, 1),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      call('echo', { text: 'b' }, 2),
    ];
    const { json } = await post(desk.url, batch);
    expect((json as Message[]).map(({ id }) => id)).toEqual([1, 2]);
    const later = await post(desk.url, batch, { 'mcp-protocol-version': '2025-06-18' });
    expect([later.status, (later.json as Message).error?.code]).toEqual([400, -32600]);
    const quiet = await post(desk.url, [batch[1]]);
    expect([quiet.status, quiet.text]).toEqual([202, '']);
  });

  it.each(['1999-01-01', '2026-07-28', 'x'])('refuses the version header %s (STLS-01)', async (version) => {
    const { status } = await post(desk.url, call('echo', { text: 'a' }), { 'mcp-protocol-version': version });
    expect(status).toBe(400);
  });

  it("ignores a client's session id (STLS-01)", async () => {
    const headers = { 'mcp-session-id': 'of-another-server', 'mcp-protocol-version': '2025-11-25' };
    const { status, json, headers: given } = await post(desk.url, call('caller'), headers);
    expect([status, structured(json)]).toMatchObject([200, { session: null }]);
    expect(given).not.toHaveProperty('mcp-session-id');
    const again = await initialize(desk.url, { headers });
    expect(again.version).toBe('2025-11-25');
  });

  it.each(['GET', 'DELETE', 'PUT'])(
    'answers %s with 405 and says what there is (STLS-02)',
    async (method) => {
      const headers = { accept: 'text/event-stream', 'mcp-session-id': 'any' };
      const answer = await sendHttp(desk.url, { method, headers });
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    },
  );

  it.each([
    ['logging/setLevel', { level: 'debug' }],
    ['resources/subscribe', { uri: 'desk://note' }],
    ['resources/unsubscribe', { uri: 'desk://note' }],
  ])('answers %s with an error that says why (STLS-01)', async (method, params) => {
    const { error } = await (await initialize(desk.url)).request(method, params);
    expect(error?.code).toBe(-32601);
    expect(error?.message).toBe(
      `Method not found: "${method}" requires a session, but this server has no sessions`,
    );
  });

  it('takes notifications and answers of clients, and does nothing with them (STLS-01)', async () => {
    const session = await initialize(desk.url);
    const statuses = await Promise.all([
      session.notify('notifications/cancelled', { requestId: 1 }),
      session.notify('notifications/roots/list_changed'),
      session.post({ jsonrpc: '2.0', id: 7, result: {} }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([202, 202, 202]);
  });

  it('tells a probe of a later revision that there is no such method (STLS-01)', async () => {
    const { status, json } = await post(desk.url, { jsonrpc: '2.0', id: 1, method: 'server/discover' });
    expect([status, (json as Message).error?.code]).toEqual([200, -32601]);
  });

  it('serves 2026-07-28 beside them (STLS-01)', async () => {
    const client = perRequest(desk.url);
    const { result } = await client.request('tools/call', { name: 'echo', arguments: { text: 'hi' } });
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'hi' }] });
    const stream = await client.listen({ toolsListChanged: true });
    desk.notifier.toolsListChanged();
    await stream.nextNotification('notifications/tools/list_changed');
    await stream.close();
  });

  it('emits nothing to anybody, and fails at nothing, when the application announces (STLS-01)', () => {
    expect(() => {
      desk.notifier.log('error', 'nobody hears');
      desk.notifier.resourceUpdated('desk://note');
    }).not.toThrow();
    expect(desk.notifier.sessions).toEqual([]);
  });
});
