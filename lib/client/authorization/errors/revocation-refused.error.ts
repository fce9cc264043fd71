import type { RevocationFault } from '../../../core/oauth/token-endpoint/revoke-token.js';
import { ClientAuthError } from './client-auth.error.js';
import { quoteUrl } from './quote.js';

/** Is reported if an authorization server does not revoke the tokens. */
export class RevocationRefusedError extends ClientAuthError {
  override readonly name = 'RevocationRefusedError';
  readonly code = 'revocation_refused';
  readonly status: number;
  /** Why, by its name on the wire, such as `invalid_client` (RFC 7009 §2.2.1); absent if the answer does not say. */
  readonly error: string | undefined;

  constructor(revocationEndpoint: string, { status, error }: RevocationFault) {
    const reason = error === undefined ? '' : ` and "${error}"`;
    super(
      `${quoteUrl(revocationEndpoint)} answered with status ${status}${reason}: revoke the tokens there, or wait until they expire`,
    );
    this.status = status;
    this.error = error;
  }
}
