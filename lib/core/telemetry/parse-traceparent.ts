import type { SpanContext } from '@opentelemetry/api';

/** Version 00 has 55 characters; a later one may add to it, but a caller's input must stay short. */
const MAXIMUM_CHARACTERS = 512;

const TRACEPARENT =
  /^(?!ff)(?<version>[\da-f]{2})-(?!0{32})(?<traceId>[\da-f]{32})-(?!0{16})(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})(?<rest>-.*)?$/;

/** The defined flags: `sampled` and `random-trace-id`. */
const KNOWN_FLAGS = 0b11;

/**
 * Reads the span that a `traceparent` names. Returns `undefined` if it is not a valid one.
 *
 * @see W3C Trace Context Level 2 §3.2, "Versioning of traceparent"
 */
export function parseTraceparent(value: unknown): SpanContext | undefined {
  if (typeof value !== 'string' || value.length > MAXIMUM_CHARACTERS) return undefined;
  const { version, traceId, spanId, flags, rest } = TRACEPARENT.exec(value)?.groups ?? {};
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  // Only later versions may have more fields.
  if (version === '00' && rest !== undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & KNOWN_FLAGS, isRemote: true };
}
