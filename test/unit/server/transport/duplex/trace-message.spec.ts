import { Injectable } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RequireScope } from '../../../../../lib/server/decorators/access.decorators.js';
import { Tool } from '../../../../../lib/server/decorators/handler.decorators.js';
import { RequestTracing } from '../../../../../lib/server/telemetry/request-tracing.js';
import { traceMessage } from '../../../../../lib/server/transport/duplex/duplex-parts.js';
import { CALLER, RecordedTraces } from '../../../../support/records/recorded-traces.js';
import { buildCaller } from '../../../support/caller.js';
import { PER_REQUEST_META, DuplexClient } from '../../../support/duplex-client.js';

@Injectable()
class ScopedTools {
  @Tool()
  greet(): string {
    return 'hello';
  }

  @Tool()
  @RequireScope('desk:write')
  close(): string {
    return 'closed';
  }
}

describe('A traced request on a duplex connection (W3C Trace Context)', () => {
  const authentication = buildCaller({ sub: 'ada', scopes: ['desk:read', 'desk:list'] });
  let traces: RecordedTraces;
  let desk: DuplexClient;

  beforeEach(async () => {
    traces = new RecordedTraces();
    const tracing = await RequestTracing.load({
      provider: traces.provider,
      option: 'auth.jwt.tracerProvider',
      logger: console,
    });
    const auth = { bearer: 'a-fixed-token-of-the-desk' };
    desk = await DuplexClient.open(
      ScopedTools,
      { auth },
      {
        authentication,
        trace: (request) => traceMessage(tracing, request, authentication),
      },
    );
  });

  afterEach(() => desk.close());

  it.each([
    ['in a session', {}],
    ['on the stateless wire', PER_REQUEST_META],
  ])(
    'has a span below the one that "_meta.traceparent" names, %s, and no link (TRACE-02)',
    async (_, meta) => {
      await desk.initialize();
      const { traceparent } = CALLER;
      const params = { name: 'greet', _meta: { ...meta, traceparent, tracestate: 'a=1' } };
      await desk.request(1, 'tools/call', params);
      const span = await traces.span('tools/call greet');
      expect(span.spanContext().traceId).toBe(CALLER.traceId);
      expect(span.parentSpanContext).toMatchObject({ spanId: CALLER.spanId });
      expect(span.links).toEqual([]);
      expect(span.attributes).toEqual({
        'mcp.method.name': 'tools/call',
        'mcp.auth.method': 'bearer',
        'mcp.auth.subject': 'ada',
        'mcp.auth.scopes': 'desk:read,desk:list',
        'mcp.auth.cache_hit': 'true',
      });
    },
  );

  it.each([undefined, 7, 'nonsense'])(
    'begins a trace where "traceparent" is %j (TRACE-02)',
    async (traceparent) => {
      await desk.initialize();
      await desk.request(1, 'tools/call', { name: 'greet', _meta: { traceparent } });
      const span = await traces.span('tools/call greet');
      expect(span.parentSpanContext).toBeUndefined();
    },
  );

  it('says on the span that the caller may not (TRACE-02)', async () => {
    expect(await desk.callAlone(1, 'close')).toMatchObject({ result: { isError: true } });
    const span = await traces.span('tools/call close');
    expect(span.status).toMatchObject({ message: 'insufficient_scope: desk:write' });
  });

  it('has spans for the handshake too, each ended with its answer (TRACE-02)', async () => {
    await desk.initialize();
    await desk.request(1, 'ping');
    await traces.span('ping');
    expect(traces.spans.map(({ name }) => name)).toEqual(['initialize', 'ping']);
  });
});
