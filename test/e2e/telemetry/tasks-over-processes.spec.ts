import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanKind } from '@opentelemetry/api';
import { memoryCluster } from 'nestjs-mcp/testing';
import { SharedQueue } from '../../support/applications/shared-queue.js';
import { bootTaskDesk, type TaskDesk } from '../../support/applications/task-desk.js';
import { publishedClient } from '../../support/clients/task-wires.js';
import { CLUSTER_SECRET } from '../../support/cluster/task-desks.js';
import { CALLER, RecordedTraces } from '../../support/records/recorded-traces.js';
import { until } from '../../support/until.js';

describe('A task that runs in another process than that of its request', () => {
  let desks: readonly [TaskDesk, TaskDesk];
  let traces: readonly [RecordedTraces, RecordedTraces];

  beforeEach(async () => {
    traces = [new RecordedTraces(), new RecordedTraces()];
    const queue = new SharedQueue();
    const cluster = memoryCluster();
    const boot = ({ provider }: RecordedTraces) =>
      bootTaskDesk({
        secret: CLUSTER_SECRET,
        cluster,
        tasks: { queue: queue.open() },
        telemetry: { tracerProvider: provider },
      });
    desks = [await boot(traces[0]), await boot(traces[1])];
  });

  afterEach(() => Promise.all(desks.map((desk) => desk.close())));

  it.each([
    ['whose trace the client began', { _meta: { traceparent: CALLER.traceparent } }],
    ['that begins its trace', {}],
  ])('is linked to the request, %s (OPS-01) (RELAY-09)', async (_what, params) => {
    const client = publishedClient(desks[0].url);
    const { taskId } = await client.create('wait', { name: 'gate' }, params);
    const request = await traces[0].span('tools/call wait');
    desks[1].tools.gates.at('gate').open();
    await client.reach(taskId);
    const run = await until(() => traces[1].spans.find(({ kind }) => kind === SpanKind.INTERNAL), 'the run');
    const { traceId, spanId } = request.spanContext();
    expect(run.links.map(({ context }) => context)).toMatchObject([{ traceId, spanId }]);
    expect(run.parentSpanContext).toBeUndefined();
  });
});
