import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { KeyFetchTracing } from '../../../../lib/server/telemetry/request-tracing.js';
import { AsyncContextManager } from '../../../support/records/async-context-manager.js';
import { RecordedTraces } from '../../../support/records/recorded-traces.js';

const URL_OF_KEYS = 'https://login.example.com/keys';

describe('KeyFetchTracing', () => {
  const traces = new RecordedTraces();
  let tracing: KeyFetchTracing;

  beforeAll(async () => {
    context.setGlobalContextManager(new AsyncContextManager());
    tracing = await KeyFetchTracing.load({
      provider: traces.provider,
      option: 'auth.jwt.jwksTracerProvider',
      logger: console,
    });
  });

  beforeEach(() => traces.clear());

  afterAll(() => context.disable());

  it('makes of a fetch a span of a client, and gives what was fetched (TRACE-03)', async () => {
    const answer = { status: 200 };
    expect(await tracing.runFetch(URL_OF_KEYS, () => Promise.resolve(answer))).toBe(answer);
    expect(traces.spans).toHaveLength(1);
    expect(traces.spans[0]).toMatchObject({ name: 'auth.jwks_fetch', kind: SpanKind.CLIENT });
    expect(traces.spans[0]?.attributes).toEqual({ 'http.request.method': 'GET', 'url.full': URL_OF_KEYS });
    expect(traces.spans[0]?.parentSpanContext).toBeUndefined();
  });

  it('stands below the span that is active, and is active itself (TRACE-03)', async () => {
    const tracer = traces.provider.getTracer('application');
    const surrounding = tracer.startSpan('auth.jwks_lookup');
    await context.with(trace.setSpan(context.active(), surrounding), () =>
      tracing.runFetch(URL_OF_KEYS, async () => {
        await Promise.resolve();
        tracer.startSpan('GET').end();
        return { status: 200 };
      }),
    );
    const [inner, fetched] = traces.spans;
    expect(fetched?.parentSpanContext?.spanId).toBe(surrounding.spanContext().spanId);
    expect(inner?.parentSpanContext?.spanId).toBe(fetched?.spanContext().spanId);
  });

  it('says that a fetch failed, and rejects with the same (TRACE-03)', async () => {
    const failed = tracing.runFetch(URL_OF_KEYS, () => Promise.reject(new Error('no answer')));
    await expect(failed).rejects.toThrow('no answer');
    expect(traces.spans[0]?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'no answer' });
  });

  it('says that an answer is one of failure, and gives it (TRACE-03)', async () => {
    const answer = { status: 503 };
    expect(await tracing.runFetch(URL_OF_KEYS, () => Promise.resolve(answer))).toBe(answer);
    const message = 'responded with status 503';
    expect(traces.spans[0]?.status).toEqual({ code: SpanStatusCode.ERROR, message });
  });

  it('shows nothing of the URL that may be a secret (TRACE-03)', async () => {
    const url = 'https://user:secret@login.example.com/keys?key=secret';
    await tracing.runFetch(url, () => Promise.resolve({ status: 200 }));
    expect(traces.spans[0]?.attributes['url.full']).toBe('https://login.example.com/keys');
  });
});
