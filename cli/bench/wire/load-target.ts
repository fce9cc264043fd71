import type { GivenHeaders } from '../../server/parse-header.js';

/** A server to which requests are sent. */
export interface LoadTarget {
  /** The endpoint. */
  readonly url: URL;
  /** Whether it may be on another machine. */
  readonly isRemote: boolean;
  /** The headers of every request: the authorization, and the headers that the user passed. */
  readonly headers: GivenHeaders;
}

/** Masks headers for the baseline server, which needs only their length, not their secrets. */
export function maskHeaders(headers: GivenHeaders): GivenHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, 'x'.repeat(value.length)]));
}
