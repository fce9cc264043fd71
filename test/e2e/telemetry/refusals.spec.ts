import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { AuthUnavailableError } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { AUDIENCE, TestIssuer } from '../../support/authorization/issuer.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { CALLER } from '../../support/records/recorded-traces.js';
import { bootRecordedDesk, type RecordedDesk } from './recorded-desk.js';

describe.each(ADAPTERS)('Refusals on %s', (adapter) => {
  let issuer: TestIssuer;
  let open: RecordedDesk;
  let guarded: RecordedDesk;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
    open = await bootRecordedDesk({ adapter, options: { limits: { bodyBytes: 2000 } } });
    const auth = {
      resourceUri: AUDIENCE,
      authorizationServers: [issuer.url],
      requiredScopes: ['desk:read'],
      jwt: {},
    };
    guarded = await bootRecordedDesk({ adapter, options: { auth } });
  });

  beforeEach(() => {
    open.traces.clear();
    guarded.traces.clear();
  });

  afterAll(async () => {
    await Promise.all([open.close(), guarded.close(), issuer.stop()]);
    await Promise.all([open.metrics.stop(), guarded.metrics.stop()]);
  });

  const CASES: readonly (readonly [string, (url: string) => Promise<unknown>, string, string])[] = [
    ['a foreign origin', (url) => post(url, {}, { origin: 'https://evil.example' }), '403', 'forbidden'],
    ['a wrong method', (url) => sendHttp(url, { method: 'PUT' }), '405', 'method_not_allowed'],
    ['no JSON', (url) => post(url, {}, { 'content-type': 'text/plain' }), '415', 'unsupported_media_type'],
    ['a long body', (url) => post(url, { text: 'x'.repeat(3000) }), '413', 'too_large'],
    ['an empty batch', (url) => post(url, []), '400', 'invalid_request'],
  ];

  it.each(CASES)('have a span and are counted: %s (OPS-01) (OPS-02)', async (_what, send, status, reason) => {
    await send(open.url);
    const span = await open.traces.span('mcp.refused');
    expect(span.kind).toBe(SpanKind.SERVER);
    expect(span.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(span.attributes).not.toHaveProperty(['error.type']);
    expect(span.attributes).toMatchObject({
      'http.response.status_code': Number(status),
      'nestjs_mcp.refusal.reason': reason,
      'network.transport': 'tcp',
    });
    expect(await countRefusals(open)).toHaveProperty(reason);
  });

  it('name the method that was asked for, below its caller (OPS-01)', async () => {
    const params = { name: 'echo', _meta: { traceparent: CALLER.traceparent } };
    const headers = { 'mcp-session-id': 'unknown' };
    await post(open.url, { jsonrpc: '2.0', id: 7, method: 'tools/call', params }, headers);
    const span = await open.traces.span('tools/call');
    expect(span.parentSpanContext?.spanId).toBe(CALLER.spanId);
    expect(span.attributes).toMatchObject({
      'mcp.method.name': 'tools/call',
      'jsonrpc.request.id': '7',
      'http.response.status_code': 404,
      'nestjs_mcp.refusal.reason': 'unknown_session',
    });
  });

  it('say why tokens are refused (OPS-01) (OPS-02)', async () => {
    await post(guarded.url, {});
    await post(guarded.url, {}, { authorization: 'Bearer nonsense' });
    const weak = await issuer.token({ scope: 'desk:none' });
    await post(guarded.url, {}, { authorization: `Bearer ${weak}` });
    expect(await countRefusals(guarded)).toEqual({ unauthorized: 2, insufficient_scope: 1 });
    const strong = { authorization: `Bearer ${await issuer.token({ scope: 'desk:read' })}` };
    await initialize(guarded.url, { headers: strong });
    const tokens = await guarded.metrics.points('nestjs_mcp.tokens');
    const results = tokens.map(({ attributes }) => String(attributes['nestjs_mcp.token.result']));
    expect(results.toSorted()).toEqual(['cached', 'refused', 'validated']);
    const [fetched] = await guarded.metrics.points('nestjs_mcp.key_fetch.duration');
    expect(fetched?.attributes).toMatchObject({ 'server.address': new URL(issuer.url).hostname });
  });

  it('are errors of the server only if the server fails (OPS-01)', async () => {
    const draining = await bootRecordedDesk({
      adapter,
      options: {
        auth: {
          resourceUri: AUDIENCE,
          validator: { validate: () => Promise.reject(new AuthUnavailableError('down')) },
        },
      },
    });
    await post(draining.url, {}, { authorization: 'Bearer something' });
    const failed = await draining.traces.span('mcp.refused');
    expect(failed.status.code).toBe(SpanStatusCode.ERROR);
    expect(failed.attributes['error.type']).toMatch(/^50\d$/);
    await draining.close();
    await draining.metrics.stop();
    await sendHttp(open.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: '{',
    });
    await post(guarded.url, {});
    for (const { traces } of [open, guarded]) {
      const { attributes, status } = await traces.span('mcp.refused');
      expect(status).toEqual({ code: SpanStatusCode.UNSET });
      expect(attributes).not.toHaveProperty(['error.type']);
    }
    expect((await open.traces.span('mcp.refused')).attributes['rpc.response.status_code']).toBe('-32700');
  });

  it('leave the span of its token beside that of the operation (TRACE-02) (OPS-01)', async () => {
    const { traces } = guarded;
    const auth = {
      resourceUri: AUDIENCE,
      authorizationServers: [issuer.url],
      jwt: { tracerProvider: traces.provider },
    };
    const both = await bootRecordedDesk({
      adapter,
      telemetry: { tracerProvider: traces.provider },
      options: { auth },
    });
    const headers = { authorization: `Bearer ${await issuer.token()}` };
    await perRequest(both.url, { headers }).request('tools/call', { name: 'echo', arguments: { text: 'a' } });
    const request = await traces.span('mcp.request');
    const call = await traces.span('tools/call echo');
    expect(request.attributes).toMatchObject({ 'mcp.auth.method': 'jwt' });
    expect(call.attributes).toMatchObject({ 'gen_ai.tool.name': 'echo' });
    expect(traces.spans.filter(({ kind }) => kind === SpanKind.SERVER)).toHaveLength(2);
    await both.close();
  });

  async function countRefusals({ metrics }: RecordedDesk): Promise<Record<string, unknown>> {
    const points = await metrics.points('nestjs_mcp.requests.refused');
    return Object.fromEntries(
      points.map(({ attributes, value }) => [attributes['nestjs_mcp.refusal.reason'], value]),
    );
  }
});
