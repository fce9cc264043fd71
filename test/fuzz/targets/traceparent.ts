import { truncate } from '../../../lib/core/telemetry/operation-facts.js';
import { parseTraceparent } from '../../../lib/core/telemetry/trace-context.js';
import { assertHolds, assertSame } from '../contract.js';

/** Reads `traceparent`. */
export function fuzz(bytes: Buffer): void {
  const text = bytes.toString('latin1');
  assertHolds(truncate(text).length <= 4096, 'what is traced is bounded');
  const span = parseTraceparent(text);
  if (span === undefined) return;
  const { traceId, spanId, traceFlags } = span;
  assertHolds(/^(?!0{32})[\da-f]{32}$/.test(traceId), 'a trace has an id');
  assertHolds(/^(?!0{16})[\da-f]{16}$/.test(spanId), 'a span has an id');
  assertHolds(traceFlags >= 0 && traceFlags <= 3, 'flags are those that are known');
  const written = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  assertSame(parseTraceparent(written), span, 'a span comes back');
}
