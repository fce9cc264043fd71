import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { HANDSHAKE_VERSIONS, initialize, post } from '../../support/clients/json-rpc.js';
import type { JsonObject, Message } from '../../support/clients/message.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'first',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'e2e', version: '1' } },
};

describe.each(ADAPTERS)('the negotiation of the version on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      options: {
        serverInfo: { name: 'desk', version: '3.1.4' },
        instructions: 'Search before you open a ticket',
        capabilities: { tools: true },
      },
    });
  });

  afterAll(() => desk.close());

  it.each(HANDSHAKE_VERSIONS)('echoes %s, which is served (VER-02)', async (version) => {
    expect((await initialize(desk.url, { version })).version).toBe(version);
  });

  it.each(['2020-01-01', '2099-12-31', '2025-11-26', '1.0', 'draft', '', '__proto__'])(
    'counters %j, which is not served, with the newest stateful version (VER-02)',
    async (version) => {
      expect((await initialize(desk.url, { version })).version).toBe('2025-11-25');
    },
  );

  it('counters 2026-07-28, which has no handshake, with the newest stateful version (VER-02)', async () => {
    expect((await initialize(desk.url, { version: '2026-07-28' })).version).toBe('2025-11-25');
  });

  it('says who the server is, what it offers and how to use it (VER-02)', async () => {
    const { result } = await initialize(desk.url);
    expect(result).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: 'desk', version: '3.1.4' },
      instructions: 'Search before you open a ticket',
    });
  });

  it('holds a session to the version it settled on (VER-02)', async () => {
    const session = await initialize(desk.url, { version: '2024-11-05' });
    const answer = await session.request('ping', undefined, { 'mcp-protocol-version': '2025-11-25' });
    expect(answer.result).toEqual({});
    expect((await session.post([{ jsonrpc: '2.0', id: 1, method: 'ping' }])).status).toBe(400);
  });

  it.each<JsonObject>([
    {},
    { capabilities: {}, clientInfo: { name: 'e2e', version: '1' } },
    { ...INITIALIZE.params, protocolVersion: 20250326 },
    { ...INITIALIZE.params, capabilities: 'all' },
  ])('answers initialize with the params %j with -32602 and no session (VER-02)', async (params) => {
    const answer = await post(desk.url, { ...INITIALIZE, params });
    expect((answer.json as Message).error?.code).toBe(-32602);
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
  });
});
