import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { type TelemetryOptions } from 'nestjs-mcp';

/** What was recorded is forgotten so often, so that only recording is measured. */
const FORGET_MS = 20;
const COLLECT_MS = 1000;

/** Records every span and all metrics, in the process itself. */
export function recordInMemory(): TelemetryOptions {
  const spans = new InMemorySpanExporter();
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  tracerProvider.register();
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: COLLECT_MS });
  const meterProvider = new MeterProvider({ readers: [reader] });
  setInterval(() => {
    spans.reset();
    metrics.reset();
  }, FORGET_MS).unref();
  return { tracerProvider, meterProvider };
}
