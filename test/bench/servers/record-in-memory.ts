import { context, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, InMemorySpanExporter, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { TelemetryOptions } from 'nestjs-mcp';

/** What was recorded is forgotten so often, so that only recording is measured. */
const FORGET_MS = 20;
const COLLECT_MS = 1000;

const BOUNDARIES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** What the spans and series of a call say. */
const SERIES = {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'search_queue_0',
  'mcp.method.name': 'tools/call',
  'mcp.protocol.version': '2025-11-25',
  'network.protocol.name': 'http',
  'network.protocol.version': '1.1',
  'network.transport': 'tcp',
};
const OF_CALL = {
  'client.address': '127.0.0.1',
  'client.port': 50_000,
  'mcp.session.id': '191c4850af6c49e0',
};

/**
 * Records every span and all metrics, in the process itself. Spans go in batches, as `NodeSDK` has them: one at a time, each would take
 * a timer of the exporter for tests and four promises, which no server in use pays for.
 */
export function recordInMemory() {
  const spans = new InMemorySpanExporter();
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(spans)] });
  tracerProvider.register();
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: COLLECT_MS });
  const meterProvider = new MeterProvider({ readers: [reader] });
  setInterval(() => {
    spans.reset();
    metrics.reset();
  }, FORGET_MS).unref();
  return { tracerProvider, meterProvider } satisfies TelemetryOptions;
}

/** Does the same by hand around a handler, as sparingly as the SDK lets anybody: less nobody can record. */
export function recordByHand<Arguments, Result>(
  handle: (given: Arguments) => Result,
): (given: Arguments) => Promise<Result> {
  const { tracerProvider, meterProvider } = recordInMemory();
  const tracer = tracerProvider.getTracer('bench');
  const advice = { explicitBucketBoundaries: BOUNDARIES };
  const durations = meterProvider.getMeter('bench').createHistogram('bench.duration', { unit: 's', advice });
  let count = 0;
  return async (given) => {
    const startedAt = performance.now();
    count += 1;
    const attributes = { ...SERIES, ...OF_CALL, 'jsonrpc.request.id': String(count) };
    const span = tracer.startSpan(
      'tools/call search_queue_0',
      { kind: SpanKind.SERVER, attributes },
      ROOT_CONTEXT,
    );
    const result = await context.with(trace.setSpan(ROOT_CONTEXT, span), () => handle(given));
    durations.record((performance.now() - startedAt) / 1000, SERIES);
    span.end();
    return result;
  };
}
