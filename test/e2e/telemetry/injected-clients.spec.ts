import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { DataPointType } from '@opentelemetry/sdk-metrics';
import { getMcpClientToken, McpClientModule, McpElicitation, type McpClient } from 'nestjs-mcp/client-module';
import { recordAmbientTraces } from '../../support/records/ambient-traces.js';
import { RecordedMetrics } from '../../support/records/recorded-metrics.js';
import { RecordedTraces } from '../../support/records/recorded-traces.js';
import { OPERATION_SERIES, SESSION_SERIES } from './conventions.js';
import { bootRecordedDesk, type RecordedDesk } from './recorded-desk.js';

@Injectable()
class Words {
  static refuses = false;

  @McpElicitation({ client: 'desk' })
  answer() {
    if (Words.refuses) throw new Error('busy');
    trace.getTracer('words').startSpan('look up').end();
    return { action: 'accept', content: { word: 'quire' } };
  }
}

describe.each([['legacy' as const], [{ pin: '2026-07-28' }]])('An injected client (%j)', (negotiation) => {
  const ambient = recordAmbientTraces();
  let desk: RecordedDesk;
  let traces: RecordedTraces;
  let metrics: RecordedMetrics;
  let application: INestApplicationContext;
  let client: McpClient;

  beforeEach(async () => {
    Words.refuses = false;
    desk = await bootRecordedDesk();
    traces = new RecordedTraces();
    metrics = new RecordedMetrics();
    const telemetry = { tracerProvider: traces.provider, meterProvider: metrics.provider };
    const module = McpClientModule.forRoot([{ name: 'desk', url: desk.url, negotiation, telemetry }]);
    application = await NestFactory.createApplicationContext(
      { module: class ClientApp {}, imports: [module], providers: [Words] },
      { logger: false },
    );
    client = application.get<McpClient>(getMcpClientToken('desk'));
  });

  afterEach(async () => {
    await application.close();
    await desk.close();
    await Promise.all([desk.metrics.stop(), metrics.stop()]);
  });

  it('is the parent of what its server does (OPS-01)', async () => {
    await client.callTool('echo', { text: 'a' });
    const asked = await traces.span('tools/call echo');
    const served = await desk.traces.span('tools/call echo');
    expect(asked.kind).toBe(SpanKind.CLIENT);
    expect(served.parentSpanContext?.spanId).toBe(asked.spanContext().spanId);
    expect(asked.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'mcp.protocol.version': negotiation === 'legacy' ? '2025-11-25' : '2026-07-28',
      'network.protocol.name': 'http',
      'network.transport': 'tcp',
      'server.address': '127.0.0.1',
      'server.port': desk.port,
    });
    expect(asked.attributes['jsonrpc.request.id']).toBe(served.attributes['jsonrpc.request.id']);
    expect(asked.attributes['mcp.session.id']).toBe(served.attributes['mcp.session.id']);
  });

  it('ends the span of how it settles the revision (OPS-01)', async () => {
    if (negotiation === 'legacy') return;
    await client.callTool('echo', { text: 'a' });
    const span = await traces.span('server/discover');
    expect(span.kind).toBe(SpanKind.CLIENT);
    expect(span.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(traces.spans[0]).toBe(span);
  });

  it('says why a question was refused (OPS-01)', async () => {
    Words.refuses = true;
    await client.callTool('ask').catch(() => undefined);
    const question = await desk.traces.span('elicitation/create');
    const answer = await traces.span('elicitation/create');
    expect(answer.status).toEqual({
      code: SpanStatusCode.ERROR,
      message: expect.stringContaining('could not be handled'),
    });
    // On the stateless wire the server does not wait for the answer.
    expect(question.status.message?.startsWith('The client rejected "elicitation/create"')).toBe(
      negotiation === 'legacy' ? true : undefined,
    );
  });

  it('counts every error of the server as one (OPS-01)', async () => {
    await client.callTool('nothing').catch(() => undefined);
    await client.callTool('refuse').catch(() => undefined);
    const failed = await traces.span('tools/call nothing');
    expect(failed.attributes).toMatchObject({ 'error.type': '-32602', 'rpc.response.status_code': '-32602' });
    expect(failed.status.code).toBe(SpanStatusCode.ERROR);
    expect((await traces.span('tools/call refuse')).attributes).toMatchObject({ 'error.type': 'tool_error' });
  });

  it('answers questions in spans of its own, below those of the server (OPS-01)', async () => {
    await client.callTool('ask');
    const question = await desk.traces.span('elicitation/create');
    const answer = await traces.span('elicitation/create');
    expect([question.kind, answer.kind]).toEqual([SpanKind.CLIENT, SpanKind.SERVER]);
    expect(answer.parentSpanContext?.spanId).toBe(question.spanContext().spanId);
    const lookUp = await ambient.span('look up');
    expect(lookUp.parentSpanContext?.spanId).toBe(answer.spanContext().spanId);
  });

  it('measures its operations and sessions (OPS-02)', async () => {
    await client.callTool('echo', { text: 'a' });
    await client.close();
    const recorded = await metrics.collect();
    const operations = recorded.get('mcp.client.operation.duration');
    expect([operations?.descriptor.unit, operations?.dataPointType]).toEqual(['s', DataPointType.HISTOGRAM]);
    const foreign = operations?.dataPoints.flatMap(({ attributes }) =>
      Object.keys(attributes).filter((name) => !OPERATION_SERIES.includes(name)),
    );
    expect(foreign).toEqual([]);
    const sessions = recorded.get('mcp.client.session.duration')?.dataPoints ?? [];
    // The stateless wire has no sessions.
    expect(sessions).toHaveLength(negotiation === 'legacy' ? 1 : 0);
    for (const { attributes } of sessions) {
      expect(Object.keys(attributes).filter((name) => !SESSION_SERIES.includes(name))).toEqual([]);
      expect(attributes).not.toHaveProperty(['error.type']);
    }
  });
});
