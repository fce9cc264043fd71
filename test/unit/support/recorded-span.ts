import type { SpanAttributes } from '../../../lib/core/telemetry/operation-facts.js';
import type { RequestSpan } from '../../../lib/server/telemetry/request-tracing.js';

/** Notes the spans below it. */
export class RecordedSpan implements RequestSpan {
  readonly children: { readonly name: string; readonly attributes: SpanAttributes }[] = [];

  set(): void {}

  describe(): void {}

  link(): void {}

  fail(): void {}

  end(): void {}

  run<Result>(act: () => Result): Result {
    return act();
  }

  runChild<Result>(name: string, attributes: SpanAttributes, act: () => Promise<Result>): Promise<Result> {
    this.children.push({ name, attributes });
    return act();
  }
}
