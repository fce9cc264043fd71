import { boundText, boundValue, type SpanAttributes } from '../../core/telemetry/bound-text.js';
import { parseTraceparent } from '../../core/telemetry/parse-traceparent.js';
import type { RecordedSpan, Tracing } from '../../core/telemetry/tracing.js';
import type { RequestSpan } from './request-span.interface.js';
import { runSpan } from './run-span.js';

/** A request as OpenTelemetry's span. */
export class TracedRequest implements RequestSpan {
  #hasEnded = false;

  constructor(
    private readonly tracing: Tracing,
    /** Absent if its tracer failed. */
    private readonly span: RecordedSpan | undefined,
    private readonly isNamed = true,
  ) {}

  set(name: string, value: string | number | boolean): void {
    this.span?.set({ [name]: boundValue(value) });
  }

  rename(name: string): void {
    if (this.isNamed) this.span?.rename(boundText(name));
  }

  link(traceparent: string): void {
    const context = parseTraceparent(traceparent);
    if (context !== undefined) this.span?.link({ context });
  }

  run<Result>(act: () => Result): Result {
    return this.span === undefined ? act() : this.tracing.runIn(this.span.within(this.tracing.active), act);
  }

  runChild<Result>(name: string, attributes: SpanAttributes, act: () => Promise<Result>): Promise<Result> {
    const { active, api } = this.tracing;
    const parent = this.span?.within(active) ?? active;
    return runSpan(this.tracing, { name, kind: api.SpanKind.INTERNAL, attributes, parent, act });
  }

  fail(description: string): void {
    this.span?.fail(description);
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.span?.end();
  }
}
