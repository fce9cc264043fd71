import { failure, ok, type Outcome } from './finding.js';
import type { Target } from './target.js';

/** Judges a server that is reached without TLS. */
export function judgePlainHttp({ isLocal }: Target): Outcome {
  if (isLocal) return ok('No TLS, which this machine does not need for itself');
  return failure('The URL is plain "http"', 'Serve it by https: tokens and answers can be read on the way');
}
