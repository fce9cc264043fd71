import type { SpanContext } from '@opentelemetry/api';

/** Version 00 takes 55; a later one may add to it, but nobody needs to keep all that a caller invents. */
const MAXIMUM_CHARACTERS = 512;

const TRACEPARENT =
  /^(?!ff)(?<version>[\da-f]{2})-(?!0{32})(?<traceId>[\da-f]{32})-(?!0{16})(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})(?<rest>-.*)?$/;

/** The flags that are defined: `sampled` and `random-trace-id`. */
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
  // Only versions to come may have more fields.
  if (version === '00' && rest !== undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & KNOWN_FLAGS, isRemote: true };
}
