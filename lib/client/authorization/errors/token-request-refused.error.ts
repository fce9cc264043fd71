import { isPassingStatus } from '../../../core/oauth/is-passing-status.js';
import { ClientAuthError } from './client-auth.error.js';
import { quoteUrl, quoteText } from './quote.js';
import { selectTokenRemedy } from './refusal-remedies.js';

/** What a token endpoint said. */
export interface TokenRefusal {
  readonly tokenEndpoint: string;
  readonly status: number;
  /** Why, by its name on the wire, such as `invalid_grant` (RFC 6749 §5.2). */
  readonly error: string;
  /** What the authorization server says to developers. */
  readonly description?: string | undefined;
  /** Whether the client authenticated with an assertion for the issuer. @default false */
  readonly isForIssuer?: boolean | undefined;
}

/** Is thrown if a token endpoint gives no token. */
export class TokenRequestRefusedError extends ClientAuthError {
  override readonly name = 'TokenRequestRefusedError';
  readonly code = 'token_request_refused';
  readonly status: number;
  /** Why, by its name on the wire, such as `invalid_grant` (RFC 6749 §5.2). */
  readonly error: string;

  constructor(refusal: TokenRefusal, options?: ErrorOptions) {
    const { tokenEndpoint, status, error, description } = refusal;
    const about = description === undefined ? '' : ` (${quoteText(description)})`;
    super(
      `${quoteUrl(tokenEndpoint)} gave no token but ${quoteText(error)}${about} with status ${status}: ${selectAdvice(refusal)}`,
      options,
    );
    this.status = status;
    this.error = error;
  }
}

function selectAdvice({ status, error, isForIssuer = false }: TokenRefusal): string {
  if (isPassingStatus(status)) return 'try again later';
  const isAudience = isForIssuer && error === 'invalid_client';
  const further = isAudience ? '; if it takes no assertion for its issuer, set "assertionAudience"' : '';
  return `${selectTokenRemedy(error)}${further}`;
}
