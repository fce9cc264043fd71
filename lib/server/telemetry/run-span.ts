import type { Context, SpanKind } from '@opentelemetry/api';
import { explainError } from '../../core/log/explain-error.js';
import { boundAttributes, type SpanAttributes } from '../../core/telemetry/bound-text.js';
import type { Tracing } from '../../core/telemetry/tracing.js';

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
  tracing: Tracing,
  { name, kind, attributes, parent, act, findFailure }: RunningSpan<Result>,
): Promise<Result> {
  const span = tracing.start(name, { kind, attributes: boundAttributes(attributes) }, parent);
  if (span === undefined) return act();
  try {
    const result = await tracing.runIn(span.context, act);
    const failure = findFailure?.(result);
    if (failure !== undefined) span.fail(failure);
    return result;
  } catch (error) {
    span.fail(explainError(error));
    throw error;
  } finally {
    span.end();
  }
}
