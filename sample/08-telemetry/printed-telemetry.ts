import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type DataPoint,
  type Histogram,
} from '@opentelemetry/sdk-metrics';
import {
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import type { TelemetryOptions } from 'nestjs-mcp';

/** Prints spans as they end, and metrics when it is asked to. An application exports them instead. */
export class PrintedTelemetry {
  readonly #metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  readonly #spans: NodeTracerProvider;
  readonly #meters: MeterProvider;

  constructor(print: (text: string) => void) {
    const exporter: SpanExporter = {
      export: (spans, done) => {
        for (const span of spans) print(formatSpan(span));
        done({ code: 0 });
      },
      shutdown: async () => {},
    };
    this.#spans = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    // Handlers find the span of their call by the context manager that this registers.
    this.#spans.register();
    const reader = new PeriodicExportingMetricReader({ exporter: this.#metrics });
    this.#meters = new MeterProvider({ readers: [reader] });
  }

  /** What servers and clients are given. */
  get options(): TelemetryOptions {
    return { tracerProvider: this.#spans, meterProvider: this.#meters };
  }

  /** Gives what was measured until now, a line for each series. */
  async describeMetrics(): Promise<readonly string[]> {
    await this.#meters.forceFlush();
    const latest =
      this.#metrics
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [];
    return latest.flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map((point) => {
        const { value: given } = point;
        const value =
          typeof given === 'number' ? String(given) : formatHistogram(point as DataPoint<Histogram>);
        return `${descriptor.name} ${value} ${descriptor.unit} ${formatAttributes(point.attributes)}`;
      }),
    );
  }

  async stop(): Promise<void> {
    await Promise.all([this.#spans.shutdown(), this.#meters.shutdown()]);
  }
}

function formatSpan(span: ReadableSpan): string {
  const { name, kind, status, attributes, parentSpanContext } = span;
  const { traceId, spanId } = span.spanContext();
  const parent = parentSpanContext === undefined ? 'begins the trace' : `below ${parentSpanContext.spanId}`;
  const mark = status.code === SpanStatusCode.ERROR ? ' ERROR' : '';
  const head = `${SpanKind[kind]} ${name}${mark} (${spanId} of ${traceId.slice(0, 8)}…, ${parent})`;
  return `${head}\n  ${formatAttributes(attributes)}`;
}

function formatAttributes(attributes: object): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

function formatHistogram({ value: { count, sum = 0 } }: DataPoint<Histogram>): string {
  return `${count} times, ${sum.toFixed(3)}`;
}
