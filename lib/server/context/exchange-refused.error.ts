import { ToolError } from './tool.error.js';

/** Why an authorization server does not exchange a caller's token. */
export interface ExchangeRefusal {
  /** The reason by its name on the wire, such as `invalid_grant` or `interaction_required`. */
  readonly error: string;
  /** Claims that the caller must get by another login; absent if the authorization server asks for none. */
  readonly claims?: string | undefined;
}

/**
 * Fails a tool call because the authorization server does not exchange the caller's token. If no handler catches it,
 * the caller is told only what to do.
 *
 * @example
 * try {
 *   return await auth.exchange({ audience: 'api://invoices' });
 * } catch (error) {
 *   if (!(error instanceof ExchangeRefusedError) || error.claims === undefined) throw error;
 *   const claims = Buffer.from(error.claims).toString('base64');
 *   throw new AuthError(401, 'Log in again', `Bearer error="insufficient_claims", claims="${claims}"`);
 * }
 *
 * @see RFC 6749 §5.2, OpenID Connect Core 1.0 §3.1.2.6, §5.5
 */
export class ExchangeRefusedError extends ToolError {
  readonly error: string;
  readonly claims: string | undefined;

  constructor(message: string, { error, claims }: ExchangeRefusal, options?: ErrorOptions) {
    super(message, options);
    this.error = error;
    this.claims = claims;
  }
}
