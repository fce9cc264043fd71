import type { TokenAnswer } from '../../../core/oauth/token-endpoint/request-token.js';
import type { DpopProof } from '../dpop/dpop-proof.js';
import { TokenRequestRefusedError } from '../errors/errors.js';

/** The issuer of a token, and the key to which it should be bound. */
export interface TokenOrigin {
  readonly tokenEndpoint: string;
  /** What proves that its key is here; absent for bearer tokens. */
  readonly proof: DpopProof | undefined;
}

/**
 * Refuses a token that cannot be sent, because its key is not here or its type is unknown.
 *
 * @throws {TokenRequestRefusedError} as if there were none
 */
export function assertSendable({ tokenType }: TokenAnswer, { tokenEndpoint, proof }: TokenOrigin): void {
  if (tokenType === 'bearer' || (tokenType === 'dpop' && proof !== undefined)) return;
  const description =
    tokenType === 'dpop' ? 'the token is bound to a key: set "dpop"' : `"token_type" is ${tokenType}`;
  throw new TokenRequestRefusedError({ tokenEndpoint, status: 200, error: 'invalid_response', description });
}
