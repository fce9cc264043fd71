import { failure, ok, type Outcome } from './finding.js';
import type { Target } from './target.js';

/** Judges a server that is reached without TLS. */
export function judgePlainHttp({ isLocal }: Target): Outcome {
  if (isLocal) return ok('No TLS, which loopback connections do not need');
  return failure(
    'The URL is plain "http"',
    'Serve it over https: tokens and responses can be read in transit',
  );
}
