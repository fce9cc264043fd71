import type { GivenHeaders } from '../../server/parse-header.js';

/** A server that requests go to. */
export interface LoadTarget {
  /** The endpoint. */
  readonly url: URL;
  /** Whether it may be on another machine. */
  readonly isRemote: boolean;
  /** The headers of every request: the caller's, and those that the user gave. */
  readonly headers: GivenHeaders;
}

/** Returns headers of the same length for the bare server, which need not know any secret. */
export function maskHeaders(headers: GivenHeaders): GivenHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, 'x'.repeat(value.length)]));
}
