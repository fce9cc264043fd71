import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { DataPointType, type Histogram } from '@opentelemetry/sdk-metrics';
import { StreamableHTTPClientTransport, type Client } from '@modelcontextprotocol/client';
import { recordAmbientTraces } from '../../support/records/ambient-traces.js';
import { CALLER } from '../../support/records/recorded-traces.js';
import { until } from '../../support/until.js';
import { BOUNDARIES, findFaults, OPERATION_SERIES, SESSION_SERIES } from './conventions.js';
import { bootRecordedDesk, connect, questions, WAYS, type RecordedDesk } from './recorded-desk.js';

const META = { traceparent: CALLER.traceparent, tracestate: 'vendor=one' };

describe.each(Object.entries(WAYS))('Telemetry over %s', (transport, open) => {
  const ambient = recordAmbientTraces();
  let desk: RecordedDesk;
  let client: Client;

  beforeEach(async () => {
    desk = await bootRecordedDesk();
    client = await connect(await open(desk));
  });

  afterEach(async () => {
    await client.close();
    await desk.close();
    await desk.metrics.stop();
  });

  it('records each kind of message as the conventions say (OPS-01)', async () => {
    await client.ping();
    await client.listTools();
    await client.callTool({ name: 'echo', arguments: { text: 'a' } });
    await client.getPrompt({ name: 'greet', arguments: { name: 'Ada' } });
    await client.readResource({ uri: 'desk://rules' });
    await client.callTool({ name: 'ask' });

    const spans = desk.traces.spans;
    const kinds = spans.map(({ name, kind }) => `${name} ${SpanKind[kind]}`);
    expect(kinds.toSorted()).toEqual([
      'elicitation/create CLIENT',
      'initialize SERVER',
      'notifications/initialized SERVER',
      'ping SERVER',
      'prompts/get greet SERVER',
      'resources/read SERVER',
      'tools/call ask SERVER',
      'tools/call echo SERVER',
      'tools/list SERVER',
    ]);
    expect(spans.flatMap((span) => findFaults(span, transport))).toEqual([]);
    expect(new Set(spans.map(({ attributes }) => attributes['mcp.session.id'])).size).toBe(1);
    expect(new Set(spans.map(({ attributes }) => attributes['mcp.protocol.version']))).toEqual(
      new Set(['2025-11-25']),
    );
    expect(spans.map(({ status }) => status.code)).toEqual(spans.map(() => SpanStatusCode.UNSET));
  });

  it('stands below the span of `_meta`, and spans of handlers below it (OPS-01)', async () => {
    await client.callTool({ name: 'echo', arguments: { text: 'a' }, _meta: META });
    const span = await desk.traces.span('tools/call echo');
    expect(span.parentSpanContext).toMatchObject({ spanId: CALLER.spanId, isRemote: true });
    expect(span.spanContext().traceId).toBe(CALLER.traceId);
    expect(span.spanContext().traceState?.serialize()).toBe('vendor=one');
    const [query] = ambient.spans;
    expect(query?.parentSpanContext?.spanId).toBe(span.spanContext().spanId);
  });

  it('passes the trace on to the client that it asks (OPS-01)', async () => {
    questions.length = 0;
    await client.callTool({ name: 'ask', _meta: META });
    const asked = await desk.traces.span('elicitation/create');
    const { spanId, traceId } = asked.spanContext();
    expect(asked.parentSpanContext?.spanId).toBe(
      (await desk.traces.span('tools/call ask')).spanContext().spanId,
    );
    expect(questions.at(-1)?._meta).toMatchObject({
      traceparent: `00-${traceId}-${spanId}-01`,
      tracestate: 'vendor=one',
    });
  });

  it('tells failures of the server from mistakes of the caller (OPS-01)', async () => {
    await client.callTool({ name: 'refuse' });
    await client.callTool({ name: 'burn' }).catch(() => undefined);
    await client.callTool({ name: 'nothing' }).catch(() => undefined);
    await client.readResource({ uri: 'desk://nothing' }).catch(() => undefined);
    const of = async (name: string) => {
      const { attributes, status } = await desk.traces.span(name);
      return [attributes['error.type'], attributes['rpc.response.status_code'], SpanStatusCode[status.code]];
    };
    expect(await of('tools/call refuse')).toEqual(['tool_error', undefined, 'ERROR']);
    expect(await of('tools/call burn')).toEqual(['-32603', '-32603', 'ERROR']);
    expect((await desk.traces.span('tools/call burn')).status.message).toBe('The desk burns');
    // Names that callers make up name no span.
    expect(await of('tools/call')).toEqual([undefined, '-32602', 'UNSET']);
    expect(await of('resources/read')).toEqual([undefined, '-32002', 'UNSET']);
  });

  it('says that a call was cancelled (OPS-01)', async () => {
    const leaving = new AbortController();
    const call = client.callTool({ name: 'wait' }, { signal: leaving.signal });
    call.catch(() => undefined);
    await client.ping();
    leaving.abort();
    const { attributes } = await desk.traces.span('tools/call wait');
    expect(attributes['error.type']).toBe('cancelled');
  });

  it('measures operations and sessions as the conventions say (OPS-02)', async () => {
    await client.callTool({ name: 'ask' });
    await client.callTool({ name: 'nothing' }).catch(() => undefined);
    await leave(client);
    await until(
      () => desk.metrics.points('mcp.server.session.duration').then(({ length }) => length),
      'the session',
    );
    const metrics = await desk.metrics.collect();
    for (const [name, series] of [
      ['mcp.server.operation.duration', OPERATION_SERIES],
      ['mcp.client.operation.duration', OPERATION_SERIES],
      ['mcp.server.session.duration', SESSION_SERIES],
    ] as const) {
      const { descriptor, dataPoints, dataPointType } = metrics.get(name) ?? fail(name);
      expect([name, descriptor.unit, dataPointType]).toEqual([name, 's', DataPointType.HISTOGRAM]);
      for (const { attributes, value } of dataPoints) {
        expect((value as Histogram).buckets.boundaries).toEqual(BOUNDARIES);
        expect(Object.keys(attributes).filter((key) => !series.includes(key))).toEqual([]);
      }
    }
    const tools = metrics
      .get('mcp.server.operation.duration')
      ?.dataPoints.filter(({ attributes }) => attributes['mcp.method.name'] === 'tools/call')
      .map(({ attributes }) => attributes['gen_ai.tool.name']);
    expect(tools?.toSorted()).toEqual(['_OTHER', 'ask']);
  });
});

/** Ends the session with the connection, which official clients leave to whoever uses them. */
async function leave(client: Client): Promise<void> {
  const { transport } = client;
  if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession();
  await client.close();
}

function fail(name: string): never {
  throw new Error(`Nothing was recorded as ${name}`);
}
