import { isMoved } from '../../../core/oauth/is-moved.js';
import { isPassingStatus } from '../../../core/oauth/is-passing-status.js';
import type { TokenRequestRefusedError } from '../errors/token-request-refused.error.js';

/** By these a grant is over: another login begins a new one. */
const OVER: ReadonlySet<string> = new Set(['invalid_grant', 'unauthorized_client', 'unsupported_grant_type']);

/** By these it is not, whatever the status of the answer. */
const GOES_ON: ReadonlySet<string> = new Set([
  'invalid_client',
  'invalid_dpop_proof',
  'invalid_response',
  'server_error',
  'slow_down',
  'temporarily_unavailable',
  'use_dpop_nonce',
]);

/**
 * Tells whether a refusal ends a grant, or needs the user. Endpoints have many names for that. If one counted for less, its user
 * could not log in again, because the same refresh would come first each time.
 */
export function isGrantOver({ error, status }: TokenRequestRefusedError): boolean {
  return OVER.has(error) || !(GOES_ON.has(error) || isPassingStatus(status) || isMoved(status));
}
