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
 * Returns which responses an `Accept` header allows; without a header, both.
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

/**
 * Returns whether a request repeats a header. Node drops the repetitions of some headers.
 *
 * @param rawHeaders alternating names and values, as Node provides them
 * @param name in lower case
 */
export function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === name.length) count += 1;
  }
  // Few names have the same length, so most requests are decided without reading one.
  return count > 1 && countHeaders(rawHeaders, name) > 1;
}

function countHeaders(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((candidate, index) => index % 2 === 0 && candidate.toLowerCase() === name).length;
}

/**
 * Parses both forms of `Retry-After` into milliseconds from now. Returns `undefined` for an invalid header.
 *
 * @see RFC 9110 §10.2.3
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
