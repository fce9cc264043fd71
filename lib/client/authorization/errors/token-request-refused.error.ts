import { ClientAuthError } from './client-auth.error.js';
import { quoteUrl, quoteText } from './quote.js';

/** What a token endpoint said. */
export interface TokenRefusal {
  readonly tokenEndpoint: string;
  readonly status: number;
  /** Why, by its name on the wire, such as `invalid_grant` (RFC 6749 §5.2). */
  readonly error: string;
  /** What the authorization server says to developers. */
  readonly description?: string | undefined;
  /** Whether the client showed itself by an assertion that names the issuer. @default false */
  readonly isForIssuer?: boolean | undefined;
}

/** Is thrown where a token endpoint gives no token. */
export class TokenRequestRefusedError extends ClientAuthError {
  override readonly name = 'TokenRequestRefusedError';
  readonly code = 'token_request_refused';
  readonly status: number;
  /** Why, by its name on the wire, such as `invalid_grant` (RFC 6749 §5.2). */
  readonly error: string;

  constructor(
    { tokenEndpoint, status, error, description, isForIssuer }: TokenRefusal,
    options?: ErrorOptions,
  ) {
    super(
      `${quoteUrl(tokenEndpoint)} gave no token but ${quoteText(error)}${description === undefined ? '' : ` (${quoteText(description)})`}: check the client's credentials and what it asks for, or log in again${isForIssuer === true && error === 'invalid_client' ? '; if it takes no assertion for its issuer, set "assertionAudience"' : ''}`,
      options,
    );
    this.status = status;
    this.error = error;
  }
}
