import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { recordAmbientTraces } from '../../support/records/ambient-traces.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { IssuerKey } from '../../support/authorization/issuer-key.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { CALLER, RecordedTraces } from '../../support/records/recorded-traces.js';
import { until } from '../../support/until.js';
import { bootDesk } from './traced-desk.js';

const OTHER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

describe.each(ADAPTERS)('the spans of a server on %s', (adapter) => {
  const traces = new RecordedTraces();
  /** What the application records by the provider that it registered. */
  const ambient = recordAmbientTraces();
  let issuer: TestIssuer;
  let desk: RunningApp;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
    desk = await bootDesk({ adapter, issuer, tracing: { tracerProvider: traces.provider } });
  });

  beforeEach(() => {
    traces.clear();
  });

  afterAll(async () => {
    await desk.close();
    await issuer.stop();
  });

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  /** Gives a client whose token the server has not seen. */
  async function arrive(claims: { readonly [name: string]: unknown } = {}) {
    return perRequest(desk.url, {
      headers: bearer(await issuer.token({ jti: crypto.randomUUID(), ...claims })),
    });
  }

  it('say what was asked for, below the span of the header (TRACE-02)', async () => {
    const client = await arrive();
    const { traceparent } = CALLER;
    const params = { name: 'find', arguments: { text: 'printer' } };
    await client.request('tools/call', params, { headers: { traceparent, tracestate: 'vendor=one' } });

    const span = await traces.span('tools/call find');
    expect(span).toMatchObject({ kind: SpanKind.SERVER, links: [], status: { code: SpanStatusCode.UNSET } });
    expect(span.parentSpanContext).toMatchObject({ spanId: CALLER.spanId, isRemote: true });
    expect(span.spanContext().traceId).toBe(CALLER.traceId);
    expect(span.spanContext().traceState?.serialize()).toBe('vendor=one');
    expect(span.attributes).toMatchObject({
      'mcp.method.name': 'tools/call',
      'http.response.status_code': 200,
    });
    expect(span.instrumentationScope.name).toBe('nestjs-mcp');
  });

  it('begin a trace where the header is none (TRACE-02)', async () => {
    const client = await arrive();
    await client.request('tools/list', {}, { headers: { traceparent: `${CALLER.traceparent}-x` } });
    expect((await traces.span('tools/list')).parentSpanContext).toBeUndefined();
  });

  it('link what the body names, whatever their parent is (TRACE-02)', async () => {
    const client = await arrive();
    const meta = { traceparent: `00-${OTHER.traceId}-${OTHER.spanId}-01` };
    await client.request('tools/list', {}, { meta, headers: { traceparent: CALLER.traceparent } });
    const span = await traces.span('tools/list');
    expect(span.parentSpanContext?.spanId).toBe(CALLER.spanId);
    expect(span.links).toMatchObject([{ context: OTHER }]);
  });

  it('tell who calls, and whether the token was known (TRACE-02)', async () => {
    const client = await arrive({ sub: 'grace', scope: 'desk:read desk:write' });
    await client.request('tools/list');
    const who = {
      'mcp.auth.method': 'jwt',
      'mcp.auth.subject': 'grace',
      'mcp.auth.issuer': issuer.url,
      'mcp.auth.scopes': 'desk:read,desk:write',
    };
    expect((await traces.span('tools/list')).attributes).toMatchObject({
      ...who,
      'mcp.auth.cache_hit': 'false',
    });
    traces.clear();
    await client.request('tools/list');
    expect((await traces.span('tools/list')).attributes).toMatchObject({
      ...who,
      'mcp.auth.cache_hit': 'true',
    });
  });

  it('have a span for the key of a token below them, once for each token (TRACE-02)', async () => {
    const client = await arrive();
    await client.request('tools/list');
    const request = await traces.span('tools/list');
    const lookup = await traces.span('auth.jwks_lookup');
    expect(lookup.parentSpanContext?.spanId).toBe(request.spanContext().spanId);
    expect(lookup.attributes).toEqual({ 'mcp.auth.jwks.kid': issuer.keys[0]?.kid });
    traces.clear();
    await client.request('tools/list');
    await traces.span('tools/list');
    expect(traces.spans).toHaveLength(1);
  });

  it.each([
    { token: 'that has expired', claims: { exp: 1_700_000_000 } },
    { token: 'of another issuer', claims: { iss: 'https://other.example.com' } },
    { token: 'for another server', claims: { aud: 'https://other.example.com' } },
  ])('say how a token $token was validated, and not whose it is (TRACE-02)', async ({ claims }) => {
    const client = await arrive(claims);
    expect((await client.request('tools/list')).status).toBe(401);
    const span = await traces.span('mcp.request');
    expect(span.attributes).toEqual({ 'mcp.auth.method': 'jwt', 'http.response.status_code': 401 });
    expect(span.status.code).toBe(SpanStatusCode.ERROR);
  });

  it('say that the key of a token is none of the issuer (TRACE-02)', async () => {
    expect((await (await arrive()).request('tools/list')).status).toBe(200);
    traces.clear();
    const key = await IssuerKey.create();
    const headers = bearer(await issuer.token({}, { key }));
    // The keys were fetched a moment ago, so that it may be a new one.
    expect((await perRequest(desk.url, { headers }).request('tools/list')).status).toBe(429);
    const span = await traces.span('mcp.request');
    const lookup = await traces.span('auth.jwks_lookup');
    expect(span.attributes['mcp.auth.method']).toBe('jwt');
    expect(lookup.attributes).toEqual({ 'mcp.auth.jwks.kid': key.kid });
    expect(lookup.parentSpanContext?.spanId).toBe(span.spanContext().spanId);
    expect(lookup.status.code).toBe(SpanStatusCode.ERROR);
  });

  it('are there for a request without a token, which nobody validates (TRACE-02)', async () => {
    expect((await perRequest(desk.url).request('tools/list')).status).toBe(401);
    const span = await traces.span('mcp.request');
    expect(span.attributes).toEqual({ 'http.response.status_code': 401 });
    expect(span.status.code).toBe(SpanStatusCode.ERROR);
  });

  it('are not there for what is refused before anybody asks who calls (TRACE-02)', async () => {
    const client = await arrive();
    const headers = { ...bearer(await issuer.token()), traceparent: CALLER.traceparent };
    const long = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { text: 'x'.repeat(2000) } };
    const refused = await Promise.all([
      client.request('tools/list', {}, { headers: { host: 'other.example.com' } }),
      client.request('tools/list', {}, { headers: { origin: 'https://other.example.com' } }),
      sendHttp(desk.url, { method: 'PUT', headers, json: {} }),
      post(desk.url, long, headers),
      client.request('tools/list', {}, { headers: { 'content-type': 'text/plain' } }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 405, 413, 415]);
    await client.request('tools/list');
    await traces.span('tools/list');
    expect(traces.spans.map(({ name }) => name)).toEqual(['auth.jwks_lookup', 'tools/list']);
  });

  it('are the parents of spans that handlers start (TRACE-02)', async () => {
    const client = await arrive();
    await client.request('tools/call', { name: 'find', arguments: { text: 'printer' } });
    const request = await traces.span('tools/call find');
    const query = await ambient.span('SELECT tickets');
    expect(query.parentSpanContext?.spanId).toBe(request.spanContext().spanId);
  });

  it('come from the provider that was given, never from the registered one (TRACE-02)', async () => {
    const client = await arrive();
    await client.request('tools/call', { name: 'find', arguments: { text: 'printer' } });
    await traces.span('tools/call find');
    expect(ambient.spans.map(({ name }) => name)).toEqual(['SELECT tickets']);
  });

  it('are there for every request of a session, and last as long as its answer (TRACE-02)', async () => {
    const session = await initialize(desk.url, { headers: bearer(await issuer.token()) });
    await traces.span('initialize');
    await traces.span('mcp.request');
    traces.clear();
    const stream = await session.openStream();
    expect((await session.request('tools/list')).status).toBe(200);
    await traces.span('tools/list');
    expect(traces.spans.map(({ name }) => name)).toEqual(['tools/list']);
    await session.delete();
    await stream.ended;
    await until(() => traces.spans.length === 3, 'the spans of the stream and of DELETE');
  });

  it('end when a client goes away (TRACE-02)', async () => {
    const session = await initialize(desk.url, { headers: bearer(await issuer.token()) });
    await traces.span('mcp.request');
    traces.clear();
    const stream = await session.openStream();
    await stream.close();
    expect((await traces.span('mcp.request')).attributes['http.response.status_code']).toBe(200);
  });

  it('show neither the token nor what a tool is called with (TRACE-02) (AUTH-15)', async () => {
    const token = await issuer.token({ jti: 'of spans' });
    const client = perRequest(desk.url, { headers: bearer(token) });
    await client.request('tools/call', { name: 'find', arguments: { text: 'broken printer' } });
    await traces.span('tools/call find');
    const shown = JSON.stringify(
      traces.spans.map(({ name, attributes, links, events, status }) => [
        name,
        attributes,
        links,
        events,
        status,
      ]),
    );
    for (const part of [...token.split('.'), 'broken printer']) expect(shown).not.toContain(part);
  });
});
