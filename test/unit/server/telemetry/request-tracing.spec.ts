import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { context, diag, DiagLogLevel, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  type RequestSpan,
  RequestTracing,
  type TraceHeaders,
} from '../../../../lib/server/telemetry/request-tracing.js';
import { AsyncContextManager } from '../../../support/records/async-context-manager.js';
import { CALLER, RecordedTraces } from '../../../support/records/recorded-traces.js';

const OTHER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';

describe('RequestTracing', () => {
  const traces = new RecordedTraces();
  const tracer = traces.provider.getTracer('application');
  let tracing: RequestTracing;

  beforeAll(async () => {
    context.setGlobalContextManager(new AsyncContextManager());
    tracing = await RequestTracing.load({
      provider: traces.provider,
      option: 'auth.jwt.tracerProvider',
      logger: console,
    });
  });

  beforeEach(() => traces.clear());

  afterAll(() => context.disable());

  /** Gives the span of a request as it was exported. */
  function record(headers: TraceHeaders, act: (span: RequestSpan) => void = () => undefined) {
    const span = tracing.startRequest(headers);
    act(span);
    span.end();
    const recorded = traces.spans.at(-1);
    if (recorded === undefined) throw new Error('No span has ended');
    return recorded;
  }

  it('names itself and its version to the provider (TRACE-02)', () => {
    const { instrumentationScope } = record({});
    expect(instrumentationScope).toMatchObject({
      name: 'nestjs-mcp',
      version: expect.stringMatching(/^\d+\./),
    });
  });

  it('makes of a request a span of a server (TRACE-02)', () => {
    expect(record({})).toMatchObject({ name: 'mcp.request', kind: SpanKind.SERVER, links: [] });
  });

  it('takes the span of the header for the parent, with its state (TRACE-02)', () => {
    const span = record({ traceparent: CALLER.traceparent, tracestate: 'vendor=one, other@vendor=two' });
    expect(span.spanContext().traceId).toBe(CALLER.traceId);
    expect(span.parentSpanContext).toMatchObject({ spanId: CALLER.spanId, isRemote: true });
    expect(span.spanContext().traceState?.serialize()).toBe('vendor=one,other@vendor=two');
  });

  it('takes the state of several headers together (TRACE-02)', () => {
    const span = record({ traceparent: CALLER.traceparent, tracestate: ['vendor=one', 'other=two'] });
    expect(span.spanContext().traceState?.serialize()).toBe('vendor=one,other=two');
  });

  it.each([
    { traceparent: 'nonsense', tracestate: 'vendor=one' },
    { traceparent: [CALLER.traceparent, CALLER.traceparent] },
    { tracestate: 'vendor=one' },
  ])('begins a trace of its own for %j (TRACE-02)', (headers) => {
    const span = record(headers);
    expect(span.parentSpanContext).toBeUndefined();
    expect(span.spanContext().traceState).toBeUndefined();
  });

  it('links the span that surrounds it, and is not its child (TRACE-02)', () => {
    const surrounding = tracer.startSpan('GET /mcp');
    const span = context.with(trace.setSpan(context.active(), surrounding), () => record({}));
    expect(span.parentSpanContext).toBeUndefined();
    expect(span.links).toMatchObject([{ context: surrounding.spanContext() }]);
  });

  it('carries attributes, another name and how it failed (TRACE-02)', () => {
    const span = record({}, (one) => {
      one.set('mcp.auth.method', 'jwt');
      one.set('http.response.status_code', 401);
      one.describe({ method: 'tools/list' });
      one.fail('refused');
    });
    expect(span.name).toBe('tools/list');
    expect(span.attributes).toEqual({
      'mcp.auth.method': 'jwt',
      'http.response.status_code': 401,
      'mcp.method.name': 'tools/list',
    });
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: 'refused' });
  });

  it('cuts what is too long for an exporter (TRACE-02)', () => {
    const long = 'x'.repeat(100_000);
    const { attributes, status } = record({}, (one) => {
      one.set('long', long);
      one.describe({ method: long });
      one.fail(long);
    });
    for (const text of [attributes['long'], status.message]) expect(text).toHaveLength(4096);
    expect(attributes['mcp.method.name']).toHaveLength(129);
  });

  it('is named by methods, tools and prompts of the server alone (OPS-07)', async () => {
    const given = { provider: traces.provider, option: 'auth.jwt.tracerProvider', logger: console };
    const bounded = await RequestTracing.load(given);
    bounded.known = {
      hasMethod: (method) => method.startsWith('tools/'),
      hasTarget: (_method, params) => params?.['name'] === 'greet',
    };
    for (const name of ['greet', 'made-up']) {
      const span = bounded.startRequest({});
      span.describe({ method: 'tools/call', params: { name } });
      span.end();
    }
    const span = bounded.startRequest({});
    span.describe({ method: 'made/up\n' });
    span.end();
    expect(traces.spans.map(({ name }) => name)).toEqual(['tools/call greet', 'tools/call', 'mcp.unknown']);
    expect(traces.spans.at(-1)?.attributes).toEqual({ 'mcp.method.name': 'made/up\\n' });
  });

  it('links the span of a valid traceparent alone (TRACE-02)', () => {
    const span = record({ traceparent: CALLER.traceparent }, (one) => {
      one.link(OTHER);
      one.link('nonsense');
    });
    expect(span.links).toHaveLength(1);
    expect(span.links[0]?.context).toMatchObject({ traceId: '0af7651916cd43dd8448eb211c80319c' });
    expect(span.spanContext().traceId).toBe(CALLER.traceId);
  });

  it('leaves a link out where the SDK cannot add one (TRACE-02)', async () => {
    const provider = { getTracer: () => ({ startSpan: () => ({}) }) };
    const outdated = await RequestTracing.load({
      provider: provider,
      option: 'auth.jwt.tracerProvider',
      logger: console,
    });
    expect(() => outdated.startRequest({}).link(OTHER)).not.toThrow();
  });

  it('is active in what runs as part of it, across what it awaits (TRACE-02)', async () => {
    const span = tracing.startRequest({ traceparent: CALLER.traceparent });
    const result = await span.run(async () => {
      await Promise.resolve();
      tracer.startSpan('query').end();
      return 'done';
    });
    tracer.startSpan('outside').end();
    span.end();
    const [query, outside, request] = traces.spans;
    expect(result).toBe('done');
    expect(query?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    expect(outside?.parentSpanContext).toBeUndefined();
  });

  it('has children below it wherever they are started, active inside (TRACE-02)', async () => {
    const span = tracing.startRequest({});
    const given = await span.runChild('auth.jwks_lookup', { 'mcp.auth.jwks.kid': 'first' }, async () => {
      await Promise.resolve();
      tracer.startSpan('query').end();
      return 'key';
    });
    span.end();
    const [query, child, request] = traces.spans;
    expect(given).toBe('key');
    expect(child).toMatchObject({ name: 'auth.jwks_lookup', kind: SpanKind.INTERNAL });
    expect(child?.attributes).toEqual({ 'mcp.auth.jwks.kid': 'first' });
    expect(child?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    expect(query?.parentSpanContext?.spanId).toBe(child?.spanContext().spanId);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no such key'))],
    [
      'throws',
      () => {
        throw new Error('no such key');
      },
    ],
  ])('says that a child failed which %s, and rejects with the same (TRACE-02)', async (_, act) => {
    const span = tracing.startRequest({});
    await expect(span.runChild('auth.jwks_lookup', {}, act)).rejects.toThrow('no such key');
    span.end();
    const [child, request] = traces.spans;
    expect(child?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'no such key' });
    expect(request?.status.code).toBe(SpanStatusCode.UNSET);
  });

  it('ends once, however often it is told to (TRACE-02)', () => {
    const complaints: string[] = [];
    const note = (text: string) => complaints.push(text);
    diag.setLogger({ error: note, warn: note, info: note, debug: note, verbose: note }, DiagLogLevel.WARN);
    record({}, (span) => span.end());
    diag.disable();
    expect(traces.spans).toHaveLength(1);
    expect(complaints).toEqual([]);
  });
});
