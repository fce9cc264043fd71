import { escapeText } from '../../core/log/escape-text.js';
import { Attribute } from '../../core/telemetry/attribute-names.js';
import { boundValue, type SpanAttributes } from '../../core/telemetry/bound-text.js';
import { nameSpan } from '../../core/telemetry/operation-facts.js';
import { parseTraceparent } from '../../core/telemetry/parse-traceparent.js';
import type { RecordedSpan, Tracing } from '../../core/telemetry/tracing.js';
import type { KnownNames } from './known-names.interface.js';
import type { Asked, RequestSpan } from './request-span.interface.js';
import { runSpan } from './run-span.js';

const LONGEST_METHOD = 128;

/** A request as OpenTelemetry's span. */
export class TracedRequest implements RequestSpan {
  #hasEnded = false;

  constructor(
    private readonly tracing: Tracing,
    /** Absent if its tracer failed. */
    private readonly span: RecordedSpan | undefined,
    /** Tells what may name the span. @default nothing */
    private readonly known?: KnownNames,
  ) {}

  set(name: string, value: string | number | boolean): void {
    this.span?.set({ [name]: boundValue(value) });
  }

  describe({ method, params }: Asked): void {
    this.set(Attribute.method, escapeText(method, LONGEST_METHOD));
    const { known } = this;
    if (known === undefined) return;
    const hasKnownMethod = known.hasMethod(method);
    this.span?.rename(
      nameSpan({ method, params, hasKnownMethod, hasKnownTarget: known.hasTarget(method, params) }),
    );
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
