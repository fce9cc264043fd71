import type { Context, Span } from '@opentelemetry/api';
import { boundText, boundValue, type SpanAttributes } from '../../core/telemetry/bound-text.js';
import type { LoadedTracer } from './load-tracer.js';
import { parseTraceparent } from '../../core/telemetry/parse-traceparent.js';
import type { RequestSpan } from './request-span.interface.js';
import { runSpan } from './run-span.js';

/** A request as OpenTelemetry's span. */
export class TracedRequest implements RequestSpan {
  #hasEnded = false;

  constructor(
    private readonly loaded: LoadedTracer,
    private readonly span: Span,
    private readonly isNamed = true,
  ) {}

  set(name: string, value: string | number | boolean): void {
    this.span.setAttribute(name, boundValue(value));
  }

  rename(name: string): void {
    if (this.isNamed) this.span.updateName(boundText(name));
  }

  link(traceparent: string): void {
    const context = parseTraceparent(traceparent);
    if (context === undefined) return;
    // The SDK is the application's choice, and older ones have no such method.
    const span: Partial<Pick<Span, 'addLink'>> = this.span;
    span.addLink?.({ context });
  }

  run<Result>(act: () => Result): Result {
    return this.loaded.api.context.with(this.#buildContext(), act);
  }

  runChild<Result>(name: string, attributes: SpanAttributes, act: () => Promise<Result>): Promise<Result> {
    const kind = this.loaded.api.SpanKind.INTERNAL;
    return runSpan(this.loaded, { name, kind, attributes, parent: this.#buildContext(), act });
  }

  fail(description: string): void {
    this.span.setStatus({ code: this.loaded.api.SpanStatusCode.ERROR, message: boundText(description) });
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.span.end();
  }

  #buildContext(): Context {
    const { context, trace } = this.loaded.api;
    return trace.setSpan(context.active(), this.span);
  }
}
