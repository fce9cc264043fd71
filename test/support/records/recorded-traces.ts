import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { until } from '../until.js';

/** A caller's span, as its `traceparent` names it. */
export const CALLER = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};

/** A tracer provider that keeps the spans that have ended. */
export class RecordedTraces {
  readonly #exporter = new InMemorySpanExporter();
  readonly provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.#exporter)] });

  /** The spans that have ended, in the order of their ends. */
  get spans(): readonly ReadableSpan[] {
    return this.#exporter.getFinishedSpans();
  }

  /** Waits until a span of a name has ended, and gives it. */
  span(name: string): Promise<ReadableSpan> {
    return until(() => this.spans.find((span) => span.name === name), `the end of the span "${name}"`);
  }

  /** Forgets the spans. */
  clear(): void {
    this.#exporter.reset();
  }
}
