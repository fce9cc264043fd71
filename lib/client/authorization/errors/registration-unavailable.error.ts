import { ClientAuthError } from './client-auth.error.js';
import { quoteText } from './quote.js';

/** Is thrown if there is no way to become a client of an authorization server. */
export class RegistrationUnavailableError extends ClientAuthError {
  override readonly name = 'RegistrationUnavailableError';
  readonly code = 'registration_unavailable';
  /** How the registration was answered, if it was asked. */
  readonly status: number | undefined;

  constructor(
    readonly issuer: string,
    /** What was tried and why it failed, as the end of a sentence. */
    readonly fault: string,
    { status, ...options }: ErrorOptions & { readonly status?: number | undefined } = {},
  ) {
    super(
      `There is no client id for ${quoteText(issuer)}: ${fault}. Register a client there and give its id as "clientId"`,
      options,
    );
    this.status = status;
  }
}
