/** Which of the two kinds of answer a client takes. */
export interface AcceptedAnswers {
  readonly json: boolean;
  readonly eventStream: boolean;
}

const BOTH: AcceptedAnswers = { json: true, eventStream: true };

const JSON_RANGES = ['application/json', 'application/*', '*/*'];
const EVENT_STREAM_RANGES = ['text/event-stream', 'text/*', '*/*'];

/** A quoted string; one that is never closed ends with the header, which keeps the search linear. */
const QUOTED = /"(?:[^"\\]|\\[^]?)*(?:"|$)/g;

/**
 * Reads which answers an `Accept` header takes; no header takes both.
 *
 * @example
 * parseAccept('text/event-stream;q=0.5, application/*'); // { json: true, eventStream: true }
 *
 * @see MCP 2026-07-28 basic/transports, "Sending Messages"; RFC 9110 §12.5.1
 */
export function parseAccept(header: string | undefined): AcceptedAnswers {
  if (header === undefined || header === 'application/json, text/event-stream') return BOTH;
  const ranges = parseRanges(header);
  if (ranges.size === 0) return BOTH;
  return { json: isAccepted(ranges, JSON_RANGES), eventStream: isAccepted(ranges, EVENT_STREAM_RANGES) };
}

/** Tells whether an `Accept` header names event streams. The client then can read them. */
export function namesEventStream(header: string | undefined): boolean {
  return namesMediaType(header, 'text/event-stream');
}

/** Tells whether an `Accept` header names this exact media type, not only a range. */
export function namesMediaType(header: string | undefined, mediaType: string): boolean {
  return header !== undefined && parseRanges(header).get(mediaType) === true;
}

/**
 * Says whether a `Content-Type` header names one of the accepted media types; parameters do not matter.
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

/** Reads each media range and whether it is wanted at all. */
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

/** Lets the most specific range decide, as RFC 9110 §12.5.1 has it. */
function isAccepted(ranges: ReadonlyMap<string, boolean>, bySpecificity: readonly string[]): boolean {
  const decisive = bySpecificity.find((range) => ranges.has(range));
  return decisive !== undefined && ranges.get(decisive) === true;
}
