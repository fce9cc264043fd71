import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { CountingTool } from '../../support/applications/counting-tool.js';
import { bootServer } from '../../support/applications/server.js';
import {
  initialize,
  PER_REQUEST_VERSION,
  perRequest,
  post,
  type SessionClient,
} from '../../support/clients/json-rpc.js';
import { metaKey, type JsonObject } from '../../support/clients/message.js';

const CLAIM = {
  [metaKey('protocolVersion')]: PER_REQUEST_VERSION,
  [metaKey('clientCapabilities')]: {},
};

describe.each(ADAPTERS)('incoming notifications on %s', (adapter) => {
  let desk: RunningApp;
  let session: SessionClient;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [CountingTool] });
    session = await initialize(desk.url);
  });

  afterAll(() => desk.close());

  it.each<[string, JsonObject | undefined]>([
    ['notifications/unheard_of', { any: 'thing' }],
    ['tickets/closed', undefined],
    ['notifications/cancelled', undefined],
    ['notifications/cancelled', { requestId: { not: 'an id' } }],
    ['notifications/progress', { progressToken: 'nobody', progress: 'far' }],
    ['notifications/initialized', undefined],
    ['notifications/tools/list_changed', undefined],
    ['__proto__', undefined],
  ])('takes the notification %s %j with 202 and no body (CORE-02)', async (method, params) => {
    const answer = await session.notify(method, params);
    expect([answer.status, answer.text]).toEqual([202, '']);
    expect((await session.request('ping')).result).toEqual({});
  });

  it('takes an unknown notification of the stateless wire with 202 and no session (CORE-02)', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/unheard_of', params: { _meta: CLAIM } };
    const answer = await post(desk.url, notification, { 'mcp-protocol-version': PER_REQUEST_VERSION });
    expect([answer.status, answer.text]).toEqual([202, '']);
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
  });

  it('does not run a method that is called without an id (CORE-02)', async () => {
    const { calls } = desk.app.get(CountingTool);
    const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'count' } };
    const inSession = await session.post(call);
    const stateless = await post(
      desk.url,
      { ...call, params: { ...call.params, _meta: CLAIM } },
      { 'mcp-protocol-version': PER_REQUEST_VERSION, 'mcp-method': 'tools/call', 'mcp-name': 'count' },
    );
    expect([inSession.status, inSession.text, stateless.status, stateless.text]).toEqual([202, '', 202, '']);

    await perRequest(desk.url).request('tools/call', { name: 'count' });
    expect(desk.app.get(CountingTool).calls).toBe(calls + 1);
  });
});
