import type { TokenAnswer } from '../../../core/oauth/token-endpoint/request-token.js';
import type { DpopProof } from '../dpop/dpop-proof.js';
import { TokenRequestRefusedError } from '../errors/token-request-refused.error.js';

/** Who gave a token, and what it was to be bound to. */
export interface TokenOrigin {
  readonly tokenEndpoint: string;
  /** What proves that its key is here; absent for bearer tokens. */
  readonly proof: DpopProof | undefined;
}

/**
 * Refuses a token that cannot be sent: one that is bound to a key which nobody here has, or of a kind that nobody here knows.
 *
 * @throws {TokenRequestRefusedError} as if there were none
 */
export function assertSendable({ tokenType }: TokenAnswer, { tokenEndpoint, proof }: TokenOrigin): void {
  if (tokenType === 'bearer' || (tokenType === 'dpop' && proof !== undefined)) return;
  const description =
    tokenType === 'dpop' ? 'the token is bound to a key: set "dpop"' : `"token_type" is ${tokenType}`;
  throw new TokenRequestRefusedError({ tokenEndpoint, status: 200, error: 'invalid_response', description });
}
