import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe.each(ADAPTERS)('session ids on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter });
  });

  afterAll(() => desk.close());

  /** Sends one request of each kind with or without a session id and gives the statuses. */
  async function statuses(id?: string): Promise<number[]> {
    const headers = id === undefined ? {} : { 'mcp-session-id': id };
    const answers = [
      await post(desk.url, PING, headers),
      await post(desk.url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers),
      await sendHttp(desk.url, { headers: { accept: 'text/event-stream', ...headers } }),
      await sendHttp(desk.url, { method: 'DELETE', headers }),
    ];
    return answers.map(({ status }) => status);
  }

  it('are issued on initialize, in visible ASCII (HTTP-03)', async () => {
    const { headers } = (await initialize(desk.url)).handshake;
    expect(headers['mcp-session-id']).toMatch(/^[\x21-\x7e]+$/);
  });

  it('are long and never the same (HTTP-03)', async () => {
    const sessions = await Promise.all(Array.from({ length: 50 }, () => initialize(desk.url)));
    const ids = sessions.map(({ id }) => id);
    expect(new Set(ids).size).toBe(50);
    expect(Math.min(...ids.map(({ length }) => length))).toBeGreaterThanOrEqual(32);
  });

  it('are not issued where the handshake fails (HTTP-03)', async () => {
    const answer = await post(desk.url, { ...PING, method: 'initialize' });
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
  });

  it('are never sent on the stateless wire (HTTP-03)', async () => {
    const answer = await perRequest(desk.url).request('tools/list');
    expect([answer.status, 'mcp-session-id' in answer.headers]).toEqual([200, false]);
  });

  it('are required after initialize: 400 without one (HTTP-03)', async () => {
    expect(await statuses()).toEqual([400, 400, 400, 400]);
    expect((await post(desk.url, PING)).json).toMatchObject({ id: 1, error: { code: -32600 } });
  });

  it.each(['unknown', '00000000-0000-4000-8000-000000000000', 'x'.repeat(4000), '__proto__'])(
    'are answered with 404 where they are unknown (HTTP-03)',
    async (id) => {
      expect(await statuses(id)).toEqual([404, 404, 404, 404]);
    },
  );

  it('are answered with 404 once their session has ended (HTTP-03)', async () => {
    const session = await initialize(desk.url);
    await session.delete();
    expect(await statuses(session.id)).toEqual([404, 404, 404, 404]);
  });

  it('name no session where a request gives two (HTTP-03)', async () => {
    const [first, second] = [await initialize(desk.url), await initialize(desk.url)];
    const answer = await post(desk.url, PING, { 'mcp-session-id': [first.id, second.id] });
    expect([400, 404]).toContain(answer.status);
  });
});
