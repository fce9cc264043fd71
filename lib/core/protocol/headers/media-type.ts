/** The kinds of responses that a client accepts. */
export interface AcceptedMediaTypes {
  readonly json: boolean;
  readonly eventStream: boolean;
}

const BOTH: AcceptedMediaTypes = { json: true, eventStream: true };

const JSON_RANGES = ['application/json', 'application/*', '*/*'];
const EVENT_STREAM_RANGES = ['text/event-stream', 'text/*', '*/*'];

/** A quoted string. An unclosed one ends with the header, which makes the search linear. */
const QUOTED = /"(?:[^"\\]|\\[^]?)*(?:"|$)/g;

/**
 * Reads which responses an `Accept` header allows; without a header, both.
 *
 * @example
 * parseAccept('text/event-stream;q=0.5, application/*'); // { json: true, eventStream: true }
 *
 * @see MCP 2026-07-28 basic/transports, "Sending Messages"; RFC 9110 §12.5.1
 */
export function parseAccept(header: string | undefined): AcceptedMediaTypes {
  if (header === undefined || header === 'application/json, text/event-stream') return BOTH;
  const ranges = parseRanges(header);
  if (ranges.size === 0) return BOTH;
  return { json: isAccepted(ranges, JSON_RANGES), eventStream: isAccepted(ranges, EVENT_STREAM_RANGES) };
}

/** Returns whether an `Accept` header names event streams, so that the client can read them. */
export function namesEventStream(header: string | undefined): boolean {
  return namesMediaType(header, 'text/event-stream');
}

/** Returns whether an `Accept` header names this exact media type, not only a range. */
export function namesMediaType(header: string | undefined, mediaType: string): boolean {
  return header !== undefined && parseRanges(header).get(mediaType) === true;
}

/**
 * Returns whether a `Content-Type` header names one of the accepted media types; parameters are ignored.
 *
 * @example
 * isMediaType('Application/JSON; charset=utf-8', ['application/json']); // true
 *
 * @see RFC 9110 §8.3.1
 */
export function isMediaType(header: string | undefined, accepted: readonly string[]): boolean {
  if (header === undefined) return false;
  if (accepted.includes(header)) return true;
  const [type = ''] = header.split(';', 1);
  const essence = type.trim().toLowerCase();
  return accepted.some((one) => one.toLowerCase() === essence);
}

/** Parses each media range, and whether it is accepted at all. */
function parseRanges(header: string): Map<string, boolean> {
  const ranges = new Map<string, boolean>();
  for (const element of header.replace(QUOTED, '""').split(',')) {
    const [type = '', ...parameters] = element.split(';');
    const range = type.trim().toLowerCase();
    if (range === '') continue;
    ranges.set(range, ranges.get(range) === true || !parameters.some(isZeroWeight));
  }
  return ranges;
}

function isZeroWeight(parameter: string): boolean {
  return /^q=0(?:\.0*)?$/i.test(parameter.trim());
}

/** The most specific range decides (RFC 9110 §12.5.1). */
function isAccepted(ranges: ReadonlyMap<string, boolean>, bySpecificity: readonly string[]): boolean {
  const decisive = bySpecificity.find((range) => ranges.has(range));
  return decisive !== undefined && ranges.get(decisive) === true;
}
