import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanKind } from '@opentelemetry/api';
import { bootTaskDesk, type TaskDesk } from '../../support/applications/task-desk.js';
import { publishedClient, serviceClient } from '../../support/clients/task-wires.js';
import { RecordedMetrics } from '../../support/records/recorded-metrics.js';
import { RecordedTraces } from '../../support/records/recorded-traces.js';
import { until } from '../../support/until.js';

describe('Telemetry of tasks', () => {
  let desk: TaskDesk;
  let traces: RecordedTraces;
  let metrics: RecordedMetrics;

  beforeEach(async () => {
    traces = new RecordedTraces();
    metrics = new RecordedMetrics();
    desk = await bootTaskDesk({
      telemetry: { tracerProvider: traces.provider, meterProvider: metrics.provider },
    });
  });

  afterEach(async () => {
    await desk.close();
    await metrics.stop();
  });

  const find = (kind: SpanKind) =>
    until(() => traces.spans.find((span) => span.name === 'tools/call wait' && span.kind === kind), 'a span');

  it('links what runs to the request that began it, and what asks for it to what runs (OPS-01)', async () => {
    const client = publishedClient(desk.url);
    const { taskId } = await client.create('wait', { name: 'gate' });
    const request = await find(SpanKind.SERVER);
    await client.get(taskId);
    desk.tools.gates.at('gate').open();
    await client.reach(taskId);
    const run = await find(SpanKind.INTERNAL);
    expect(run.parentSpanContext).toBeUndefined();
    expect(run.spanContext().traceId).not.toBe(request.spanContext().traceId);
    expect(run.links.map(({ context }) => context.spanId)).toEqual([request.spanContext().spanId]);
    expect(run.attributes).toMatchObject({
      'gen_ai.tool.name': 'wait',
      'gen_ai.operation.name': 'execute_tool',
    });
    expect(run.attributes).not.toHaveProperty(['jsonrpc.request.id']);
    const got = await traces.span('tasks/get');
    expect(got.links.map(({ context }) => context.spanId)).toEqual([run.spanContext().spanId]);
  });

  it('follows questions of tasks until they are answered (OPS-01)', async () => {
    const client = publishedClient(desk.url);
    const { taskId } = await client.create('ask');
    const { inputRequests } = await client.reach(taskId, 'input_required');
    const { params } =
      (inputRequests as Record<string, { params: { _meta: { traceparent: string } } }>)['word'] ?? {};
    const answer = { action: 'accept', content: { word: 'quire' } };
    await client.send('tasks/update', { taskId, inputResponses: { word: answer } });
    await client.reach(taskId);
    const question = await traces.span('elicitation/create');
    expect(params?._meta.traceparent).toContain(question.spanContext().spanId);
  });

  it('counts tasks by their status (OPS-02)', async () => {
    const client = await serviceClient(desk.url);
    const waiting = await client.create('wait', { name: 'a' });
    const asking = await client.create('ask');
    await client.reach(asking['taskId'], 'input_required');
    await client.reach((await client.create('break'))['taskId']);
    await until(async () => (await count('nestjs_mcp.tasks'))['working'] === 1, 'the count');
    expect(await count('nestjs_mcp.tasks')).toEqual({ working: 1, input_required: 1 });
    desk.tools.gates.at('a').open();
    await client.reach(waiting['taskId']);
    expect(await count('nestjs_mcp.tasks.ended')).toEqual({ failed: 1, completed: 1 });
    expect(await count('nestjs_mcp.tasks')).toEqual({ working: 0, input_required: 1 });
  });

  async function count(name: string): Promise<Record<string, unknown>> {
    const points = await metrics.points(name);
    return Object.fromEntries(
      points.map(({ attributes, value }) => [attributes['nestjs_mcp.task.status'], value]),
    );
  }
});
