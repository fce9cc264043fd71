import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type DataPoint,
  type MetricData,
} from '@opentelemetry/sdk-metrics';

/** Longer than any test: metrics are collected when a test asks for them. */
const NEVER_MS = 3_600_000;

/** A meter provider that keeps what was recorded. */
export class RecordedMetrics {
  readonly #exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  readonly provider = new MeterProvider({
    readers: [
      new PeriodicExportingMetricReader({ exporter: this.#exporter, exportIntervalMillis: NEVER_MS }),
    ],
  });

  /** Gives what was recorded until now, by name. */
  async collect(): Promise<ReadonlyMap<string, MetricData>> {
    this.#exporter.reset();
    await this.provider.forceFlush();
    const recorded = this.#exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap(({ metrics }) => metrics);
    return new Map(recorded.map((metric) => [metric.descriptor.name, metric]));
  }

  /** Gives the points of an instrument; none if it has recorded nothing. */
  async points(name: string): Promise<readonly DataPoint<unknown>[]> {
    return (await this.collect()).get(name)?.dataPoints ?? [];
  }

  stop(): Promise<void> {
    return this.provider.shutdown();
  }
}
