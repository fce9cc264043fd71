import type { Context, SpanKind } from '@opentelemetry/api';
import { explainError } from '../../core/log/explain-error.js';
import { boundAttributes, boundText, type SpanAttributes } from '../../core/telemetry/bound-text.js';
import type { LoadedTracer } from './load-tracer.js';

/** A span that lasts as long as a function runs. */
export interface RunningSpan<Result> {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: SpanAttributes;
  /** The context that the span is started in. */
  readonly parent: Context;
  readonly act: () => Promise<Result>;
  /** Says how a result is a failure, though nothing was thrown; absent if none is. */
  readonly findFailure?: (result: Result) => string | undefined;
}

/** Runs a function in a span of its own, which is active inside and says whether it failed. */
export async function runSpan<Result>(
  { api, tracer }: LoadedTracer,
  { name, kind, attributes, parent, act, findFailure }: RunningSpan<Result>,
): Promise<Result> {
  const span = tracer.startSpan(name, { kind, attributes: boundAttributes(attributes) }, parent);
  const fail = (message: string) =>
    span.setStatus({ code: api.SpanStatusCode.ERROR, message: boundText(message) });
  try {
    const result = await api.context.with(api.trace.setSpan(parent, span), act);
    const failure = findFailure?.(result);
    if (failure !== undefined) fail(failure);
    return result;
  } catch (error) {
    fail(explainError(error));
    throw error;
  } finally {
    span.end();
  }
}
