import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { buildInitialize, initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import type { Message } from '../../support/clients/message.js';
import { sendHttp } from '../../support/clients/raw-http.js';

const INITIALIZE = buildInitialize({ version: '2026-07-28' });
const DISCOVER = { jsonrpc: '2.0', id: 1, method: 'server/discover' };

@Injectable()
class SessionTool {
  @Tool({ description: 'Says whether it is called in a session' })
  hasSession(_: object, context: McpContext): string {
    return String(context.session !== undefined);
  }
}

describe.each(ADAPTERS)('wrong combinations of what a request carries on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [SessionTool] });
  });

  afterAll(() => desk.close());

  it.each(['own', 'unknown'])('ignore an %s session id beside a claim (VER-01)', async (kind) => {
    const session = await initialize(desk.url);
    const answer = await perRequest(desk.url).request(
      'tools/call',
      { name: 'hasSession' },
      { headers: { 'mcp-session-id': kind === 'own' ? session.id : 'unknown' } },
    );
    expect(answer.result?.['content']).toEqual([{ type: 'text', text: 'false' }]);
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
  });

  it('ignore Last-Event-ID beside a claim (VER-01)', async () => {
    const answer = await perRequest(desk.url).request(
      'tools/call',
      { name: 'hasSession' },
      { headers: { 'last-event-id': '0:99' } },
    );
    expect([answer.status, answer.error]).toEqual([200, undefined]);
  });

  it('answer an unknown session without a claim with 404 (VER-01)', async () => {
    const answer = await post(
      desk.url,
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { 'mcp-session-id': 'unknown', 'mcp-protocol-version': '2025-11-25' },
    );
    expect(answer.status).toBe(404);
  });

  it.each(['ping', 'tools/list', 'resources/subscribe'])(
    'answer %s with neither claim nor session with 400 (VER-01)',
    async (method) => {
      const answer = await post(desk.url, { jsonrpc: '2.0', id: 1, method });
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({ id: 1, error: { code: -32600 } });
    },
  );

  it('tell a request with neither claim nor session both ways to begin (VER-01)', async () => {
    const answer = await post(desk.url, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect((answer.json as Message).error?.message).toBe(
      'Invalid request: "Mcp-Session-Id" is missing: send "initialize" first, ' +
        'or declare "io.modelcontextprotocol/protocolVersion" in "_meta"',
    );
  });

  it('answer server/discover with neither claim nor header as an unknown method, with 200 (VER-01)', async () => {
    const session = await initialize(desk.url);
    const answers = [await post(desk.url, DISCOVER), await session.post(DISCOVER)];
    for (const answer of answers) {
      expect([answer.status, (answer.json as Message).error?.code]).toEqual([200, -32601]);
    }
  });

  it('answer initialize of 2026-07-28 without a claim with a counter-offer and a session (VER-01)', async () => {
    const answer = await post(desk.url, INITIALIZE);
    expect((answer.json as Message).result).toMatchObject({ protocolVersion: '2025-11-25' });
    expect(answer.headers).toHaveProperty('mcp-session-id');
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'take initialize under the header %s (VER-01)',
    async (version) => {
      const session = await initialize(desk.url, { headers: { 'mcp-protocol-version': version } });
      expect(session.version).toBe('2025-11-25');
    },
  );

  it.each(['1999-01-01', 'v999.0.0', 'draft', '2025-06-19'])(
    'answer the unknown header %s without a claim with 400 (VER-01)',
    async (version) => {
      const session = await initialize(desk.url);
      const headers = { 'mcp-protocol-version': version };
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
      const opening = await sendHttp(desk.url, {
        headers: { accept: 'text/event-stream', ...session.headers, ...headers },
      });
      expect((await session.post(ping, headers)).status).toBe(400);
      expect((await post(desk.url, ping, headers)).status).toBe(400);
      expect(opening.status).toBe(400);
    },
  );

  it('serve a session under the header of another stateful version (VER-01)', async () => {
    const session = await initialize(desk.url);
    const answer = await session.request('ping', undefined, { 'mcp-protocol-version': '2025-06-18' });
    expect(answer.result).toEqual({});
  });

  it('serve a session whose client sends no version header (VER-01)', async () => {
    const session = await initialize(desk.url);
    const answer = await post(
      desk.url,
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { 'mcp-session-id': session.id },
    );
    expect((answer.json as Message).result).toEqual({});
  });

  it('answer a GET for a stream without a session with 400 (VER-01)', async () => {
    const answer = await sendHttp(desk.url, { headers: { accept: 'text/event-stream' } });
    expect(answer.status).toBe(400);
  });
});
