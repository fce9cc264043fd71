import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { McpAuthGuard, McpInMemoryConnector, RequireScope, type AuditedArguments } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { AUDIENCE, TestIssuer } from '../../support/authorization/issuer.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { bootAuditedDesk, DeskHandlers, ScopedHandlers, type AuditedDesk } from './audited-desk.js';

@Controller('reports')
@UseGuards(McpAuthGuard)
class Reports {
  @Get()
  @RequireScope('desk:report')
  read(): string {
    return 'all is well';
  }
}

describe.each(ADAPTERS)('The audit of refusals on %s', (adapter) => {
  let issuer: TestIssuer;
  let open: AuditedDesk;
  let guarded: AuditedDesk;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
    open = await bootAuditedDesk({ adapter, trustProxy: true, options: { limits: { bodyBytes: 2000 } } });
    guarded = await bootAuditedDesk({
      adapter,
      providers: [DeskHandlers, ScopedHandlers],
      controllers: [Reports],
      options: {
        auth: {
          resourceUri: AUDIENCE,
          authorizationServers: [issuer.url],
          requiredScopes: ['desk:read'],
          jwt: {},
        },
      },
    });
  });

  beforeEach(() => {
    open.events.length = 0;
    guarded.events.length = 0;
  });

  afterAll(() => Promise.all([open.close(), guarded.close(), issuer.stop()]));

  const CASES: readonly (readonly [string, number, string, (url: string) => Promise<unknown>])[] = [
    ['a foreign origin', 403, 'forbidden', (url) => post(url, {}, { origin: 'https://evil.example' })],
    ['a foreign host', 403, 'forbidden', (url) => post(url, {}, { host: 'evil.example' })],
    ['a wrong method', 405, 'method_not_allowed', (url) => sendHttp(url, { method: 'PUT' })],
    ['no media type', 406, 'not_acceptable', (url) => post(url, {}, { accept: 'text/html' })],
    ['no JSON', 415, 'unsupported_media_type', (url) => post(url, {}, { 'content-type': 'text/plain' })],
    ['a long body', 413, 'too_large', (url) => post(url, { text: 'x'.repeat(3000) })],
    ['an empty batch', 400, 'invalid_request', (url) => post(url, [])],
    ['a GET without a session', 400, 'invalid_request', (url) => sendHttp(url, { headers: EVENT_STREAM })],
  ];

  it.each(CASES)('has %s (OPS-03)', async (_what, status, reason, send) => {
    await send(open.url);
    expect(open.events).toEqual([
      expect.objectContaining({ type: 'request', outcome: 'refused', reason, transport: 'http' }),
    ]);
    expect(open.events[0]?.http).toMatchObject({ path: '/mcp', status });
    expect(open.events[0]?.caller.address).toBe('127.0.0.1');
  });

  it('takes addresses from a trusted proxy (OPS-03)', async () => {
    await post(open.url, [], { 'x-forwarded-for': '203.0.113.7' });
    await perRequest(open.url, { headers: { 'x-forwarded-for': '203.0.113.8' } }).request('tools/list');
    expect(open.events.map(({ caller }) => caller.address)).toEqual(['203.0.113.7', '203.0.113.8']);
  });

  it('names the method of a request for an unknown session, and not the session (OPS-03)', async () => {
    const request = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'echo' } };
    const { text } = await post(open.url, request, { 'mcp-session-id': 'unknown' });
    const [event] = open.events;
    expect(event).toMatchObject({
      method: 'tools/call',
      target: 'echo',
      requestId: 7,
      outcome: 'refused',
      reason: 'unknown_session',
      requestBytes: Buffer.byteLength(JSON.stringify(request)),
      answerBytes: Buffer.byteLength(text),
    });
    expect(event?.session).toMatch(/^[\da-f]{16}$/);
  });

  it('names the tool that is meant by one that calls others, before it is known whether it may (OPS-03)', async () => {
    const shown: unknown[] = [];
    const redact = (value: unknown, { method, target }: AuditedArguments) => {
      shown.push([method, target, value]);
      return value;
    };
    const searched = await bootAuditedDesk({
      adapter,
      audit: { redact },
      options: { catalog: { search: true } },
    });
    const given = { name: 'echo', arguments: { text: 'hello' } };
    const request = {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'call_tool', arguments: given },
    };
    await post(searched.url, request, { 'mcp-session-id': 'unknown' });
    expect(await searched.find({ outcome: 'refused' })).toMatchObject({
      target: 'echo',
      arguments: { text: 'hello' },
      requestBytes: Buffer.byteLength(JSON.stringify(request)),
    });
    await perRequest(searched.url).request('tools/call', request.params);
    expect(await searched.find({ outcome: 'ok' })).toMatchObject({ target: 'echo' });
    expect(shown).toEqual([
      ['tools/call', 'echo', { text: 'hello' }],
      ['tools/call', 'echo', { text: 'hello' }],
    ]);
    await searched.close();
  });

  it('has tokens that are missing, or no good (OPS-03)', async () => {
    await post(guarded.url, {});
    await post(guarded.url, {}, { authorization: 'Bearer nonsense' });
    expect(guarded.events.map(({ outcome, reason, http }) => [outcome, reason, http?.status])).toEqual([
      ['refused', 'unauthorized', 401],
      ['refused', 'unauthorized', 401],
    ]);
  });

  it('names whose token does not allow enough, and what it lacks (OPS-03)', async () => {
    await post(guarded.url, {}, await bearer({ sub: 'ada', scope: 'desk:none', client_id: 'cli' }));
    expect(guarded.events).toEqual([
      expect.objectContaining({
        outcome: 'refused',
        reason: 'insufficient_scope',
        missingScopes: ['desk:read'],
      }),
    ]);
    expect(guarded.events[0]?.caller).toMatchObject({ subject: 'ada', issuer: issuer.url, clientId: 'cli' });
  });

  it('has the challenge of a step-up, before the handler and in it (OPS-03)', async () => {
    const headers = await bearer({ sub: 'ada', scope: 'desk:read' });
    const client = perRequest(guarded.url, { headers });
    await client.request('tools/call', { name: 'close', arguments: { id: '7' } });
    await client.request('tools/call', { name: 'settle' });
    expect(
      guarded.events.map(({ target, outcome, missingScopes }) => [target, outcome, missingScopes]),
    ).toEqual([
      ['close', 'refused', ['desk:write']],
      ['settle', 'refused', ['desk:admin']],
    ]);
    expect(guarded.events[0]?.caller.subject).toBe('ada');
    const strong = await bearer({ sub: 'eve', scope: 'desk:read desk:write' });
    await perRequest(guarded.url, { headers: strong }).request('tools/call', {
      name: 'close',
      arguments: { id: '7' },
    });
    expect(await guarded.find({ outcome: 'ok' })).toMatchObject({
      target: 'close',
      usedScopes: ['desk:write'],
    });
  });

  it('has each request of a batch that may not run (OPS-03)', async () => {
    const headers = await bearer({ sub: 'ada', scope: 'desk:read' });
    const session = await initialize(guarded.url, { version: '2025-03-26', headers });
    guarded.events.length = 0;
    const close = { method: 'tools/call', params: { name: 'close', arguments: { id: '7' } } };
    await session.post([
      { jsonrpc: '2.0', id: 1, ...close },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ]);
    expect(guarded.events.map(({ requestId, outcome }) => [requestId, outcome])).toEqual([
      [1, 'refused'],
      [2, 'refused'],
    ]);
    expect(guarded.events.map(({ caller }) => caller.subject)).toEqual(['ada', 'ada']);
  });

  it('has what the guard refuses on routes of the application (OPS-03)', async () => {
    const url = `${guarded.origin}/reports`;
    await sendHttp(url, { headers: { authorization: 'Bearer nonsense' } });
    await sendHttp(url, { headers: await bearer({ sub: 'ada', scope: 'desk:read' }) });
    expect(guarded.events.map(({ reason, http }) => [reason, http])).toEqual([
      ['unauthorized', { method: 'GET', path: '/reports', status: 401 }],
      ['insufficient_scope', { method: 'GET', path: '/reports', status: 403 }],
    ]);
    expect(guarded.events[1]).toMatchObject({ missingScopes: ['desk:report'], caller: { subject: 'ada' } });
  });

  it('has tokens of clients in the same process that are refused (OPS-03)', async () => {
    const connector = guarded.app.get(McpInMemoryConnector);
    await expect(connector.connect({ token: 'nonsense' })).rejects.toThrow('Unauthorized');
    expect(guarded.events).toEqual([
      expect.objectContaining({ transport: 'in-process', outcome: 'refused', reason: 'unauthorized' }),
    ]);
  });

  it('has what guards and middlewares of the application refuse (OPS-03)', async () => {
    const closed = await bootAuditedDesk({
      adapter,
      configure: (app) => void app.useGlobalGuards(new ClosedGuard()),
    });
    await post(closed.url, { jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(await closed.find({ outcome: 'refused' })).toMatchObject({
      reason: 'forbidden',
      http: { method: 'POST', path: '/mcp', status: 403 },
    });
    await closed.close();
  });

  async function bearer(claims: Record<string, unknown>): Promise<{ authorization: string }> {
    return { authorization: `Bearer ${await issuer.token(claims)}` };
  }
});

const EVENT_STREAM = { accept: 'text/event-stream' };

class ClosedGuard implements CanActivate {
  canActivate(_context: ExecutionContext): boolean {
    return false;
  }
}
